// A real OpenID Connect provider on loopback, whose ID tokens a test can alter and sign again with the
// provider's own key, and a browser that keeps cookies and follows redirects.
import { createSign, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type ProviderContext } from 'oidc-provider';

/** Where browsers reach GCOS: the browser below goes to the server instead, as a proxy in front would. */
const PUBLIC_URL = 'http://127.0.0.1:7373';

type Claims = Record<string, unknown>;
type Alter = (claims: Claims) => Claims;

export interface TestProvider {
  readonly issuer: string;
  /** What `gcos serve` is configured with. */
  readonly oidc: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly publicUrl: string;
  };
  readonly publicKey: KeyObject;
  /** Who uses the next browser. */
  account: string;
  /** How the next ID token differs from that of the provider; it is signed all the same. */
  alter: Alter | undefined;
  /** Signs the next ID tokens with another key than the published one. */
  forge: boolean;
  /** Publishes a new key instead of the former one, and signs with it. */
  rotate(): void;
  /** 503: answers everything with a page that says so, as a proxy in front does; undefined: works. */
  outage: 503 | undefined;
  /** Stops to listen, and listens again at the same address. */
  stop(): Promise<void>;
  listen(): Promise<void>;
  /** The last ID token that the provider gave out. */
  lastToken: string;
  close(): Promise<void>;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims;

function sign(claims: Claims, key: KeyObject, kid: string): string {
  const message = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode(claims)}`;
  return `${message}.${createSign('sha256').update(message).sign(key, 'base64url')}`;
}

/** Whether the key signed the token. */
export function isSigned(token: string, key: KeyObject): boolean {
  const [head, body, signature = ''] = token.split('.');
  return createVerify('sha256').update(`${head}.${body}`).verify(key, signature, 'base64url');
}

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });

export async function startProvider(): Promise<TestProvider> {
  const first = keyPair();
  let own = { ...first, kid: 'one' };
  const other = keyPair();
  const server = createServer();
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const clientSecret = 'a secret that only this test has, of some length';
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'gcos',
        client_secret: clientSecret,
        redirect_uris: [`${PUBLIC_URL}/api/v1/session/oidc/callback`],
      },
    ],
    cookies: { keys: ['only-for-this-test'] },
    jwks: { keys: [{ ...first.privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    // The person has agreed before.
    loadExistingGrant: async ({ oidc }: ProviderContext) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
    ttl: {
      Session: 600,
      Interaction: 600,
      Grant: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
  });
  const state: TestProvider = {
    issuer,
    oidc: { issuer, clientId: 'gcos', clientSecret, publicUrl: PUBLIC_URL },
    publicKey: first.publicKey,
    account: '',
    alter: undefined,
    forge: false,
    lastToken: '',
    rotate: () => {
      own = { ...keyPair(), kid: 'two' };
    },
    outage: undefined,
    stop,
    listen: async () => {
      await listen(port);
      // This process finds out that its former connections are closed when it uses them.
      const ask = () => fetch(`${issuer}/jwks`).catch(() => undefined);
      await Promise.all(Array.from({ length: 8 }, ask));
    },
    close: stop,
  };
  provider.use(async (context, next) => {
    await next();
    if (context.path === '/jwks')
      context.body = {
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: own.kid }],
      };
    const body = context.body as { id_token?: string } | undefined;
    if (context.path !== '/token' || body?.id_token === undefined) return;
    if (state.alter !== undefined || state.forge || own.kid !== 'one')
      body.id_token = sign(
        (state.alter ?? ((claims) => claims))(claimsOf(body.id_token)),
        (state.forge ? other : own).privateKey,
        own.kid,
      );
    state.lastToken = body.id_token;
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (state.outage !== undefined) {
      response.writeHead(state.outage, { 'content-type': 'text/html' }).end('<h1>back soon</h1>');
      return;
    }
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    const login = { accountId: state.account };
    void provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  });
  return state;
}

export interface Page {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the server sent
  readonly json: any;
}

/** A browser of one person: cookies by host, and no redirect without being told. */
export class Browser {
  readonly #server: string;
  readonly #jar = new Map<string, Map<string, string>>();

  /** `server`: where GCOS listens, behind its public address. */
  constructor(server: string) {
    this.#server = server;
  }

  /** The cookies that GCOS, or another origin, gets. */
  cookies(origin = this.#server): string {
    return [...(this.#jar.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  put(name: string, value: string): void {
    this.#jar.set(this.#server, (this.#jar.get(this.#server) ?? new Map()).set(name, value));
  }

  async open(address: string, options: RequestInit = {}): Promise<Page> {
    const url = new URL(address.replace(PUBLIC_URL, this.#server), this.#server);
    const answer = await fetch(url, {
      redirect: 'manual',
      ...options,
      headers: { cookie: this.cookies(url.origin), ...(options.headers as Record<string, string>) },
    });
    const jar = this.#jar.get(url.origin) ?? new Map<string, string>();
    this.#jar.set(url.origin, jar);
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0\b|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      location: location === null ? null : new URL(location, url).href,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  /** Begins a sign-in, and returns the address with which the provider sends the browser back. */
  async comeBack(to = '/'): Promise<string> {
    let page = await this.open(`/api/v1/session/oidc/start?to=${encodeURIComponent(to)}`);
    for (let step = 0; step < 6; step += 1) {
      if (page.location === null) throw new Error(`no redirect: ${page.status} ${page.text}`);
      if (page.location.startsWith(PUBLIC_URL)) return page.location;
      page = await this.open(page.location);
    }
    throw new Error('the provider sends the browser around');
  }

  /** Signs in from the beginning to the end. */
  async signIn(to?: string): Promise<Page> {
    return this.open(await this.comeBack(to));
  }

  /** Signs in, and returns the headers of a page of the console. */
  async headers(): Promise<{ cookie: string; 'x-csrf-token': string }> {
    const { json } = await this.open('/api/v1/session');
    return { cookie: this.cookies(), 'x-csrf-token': json.csrf_token };
  }
}
