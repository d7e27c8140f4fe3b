// Owns the conversation with the organisation's OpenID Connect provider: the code flow with PKCE, state and
// nonce. INVARIANT: what this returns is an ID token whose signature, issuer, audience, time and nonce were
// checked; who its subject is, the database decides.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { serverErrors } from './errors.js';
import { isLoopback } from './listen.js';

export interface OidcOptions {
  /** The issuer as it stands in its own metadata. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where browsers reach this server: scheme, name and port. */
  readonly publicUrl: string;
}

/** What a sign-in that has begun must come back with. The browser keeps it, sealed. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly to: string;
  readonly until: number;
}

/** How long a person may take at the provider. */
export const SIGN_IN_SECONDS = 600;
/** How far the clocks of the provider and of this server may differ. */
const SKEW_SECONDS = 60;
/** After that the metadata of the provider are read again; its keys, when a token names an unknown one. */
const METADATA_MS = 3_600_000;
const PATIENCE_SECONDS = 10;
const CALLBACK = '/api/v1/session/oidc/callback';

const isPlainLoopback = (url: URL): boolean => url.protocol === 'http:' && isLoopback(url.hostname);

function addressOf(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || (url.protocol !== 'https:' && !isPlainLoopback(url)))
    throw serverErrors.sign_in_invalid(`${what} is no https address`);
  return url;
}

/** The message of a failure, without what a stranger wrote into the address. */
function whyOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError) return `the provider answered ${error.error}`;
  return error instanceof Error ? error.message : 'the answer cannot be read';
}

/** A failure of the provider, which often answers with a page instead of an error in JSON. */
const isServerError = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'status' in answer && Number(answer.status) >= 500;

/** Whether the provider could not be asked, rather than having given a wrong answer. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof client.ResponseBodyError && error.status >= 500) ||
  (error instanceof client.ClientError && (error.code === 'OAUTH_TIMEOUT' || isServerError(error.cause)));

/** Whether the ID token names a key that the provider did not have when its keys were read. */
const isOfUnknownKey = (error: unknown): boolean =>
  error instanceof client.ClientError && error.code === 'OAUTH_KEY_SELECTION_FAILED';

export class Provider {
  readonly issuer: string;
  readonly #options: OidcOptions;
  readonly #publicUrl: URL;
  readonly #key: Buffer;
  #config: { readonly value: client.Configuration; readonly at: number } | undefined;
  /** What is being read now: however many browsers begin, the provider is asked once at a time. */
  #reading: Promise<client.Configuration> | undefined;
  /** States that came back to this process. The database refuses an ID token, or nonce, that it has seen. */
  readonly #used = new Map<string, number>();

  constructor(options: OidcOptions) {
    this.#options = options;
    this.issuer = addressOf(options.issuer, 'the issuer').href;
    this.#publicUrl = addressOf(options.publicUrl, 'the public address of this server');
    if (options.clientId === '' || options.clientSecret === '')
      throw serverErrors.sign_in_invalid('the client id or its secret is empty');
    // Every server with the same secret opens what another one sealed.
    this.#key = Buffer.from(hkdfSync('sha256', options.clientSecret, '', 'gcos-sign-in', 32));
  }

  /** Reads the metadata of the provider; throws provider_unavailable with the reason. */
  async check(): Promise<void> {
    await this.#configuration();
  }

  /** Where the browser goes, and what it keeps. */
  async begin(to: string): Promise<{ readonly location: URL; readonly sealed: string }> {
    const config = await this.#configuration();
    const begun: Begun = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      to,
      until: Date.now() + SIGN_IN_SECONDS * 1_000,
    };
    const location = client.buildAuthorizationUrl(config, {
      redirect_uri: new URL(CALLBACK, this.#publicUrl).href,
      scope: 'openid',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
    });
    return { location, sealed: this.#seal(begun) };
  }

  /** The ID token for what the browser came back with, and the page to which it goes. */
  async finish(sealed: string, search: string): Promise<{ readonly idToken: string; readonly to: URL }> {
    const begun = this.#unseal(sealed);
    this.#useOnce(begun);
    const config = await this.#configuration();
    const address = new URL(CALLBACK, this.#publicUrl);
    address.search = search;
    try {
      const { id_token: idToken } = await client.authorizationCodeGrant(config, address, {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
        idTokenExpected: true,
      });
      return { idToken: idToken ?? '', to: this.pageOf(begun.to) };
    } catch (error) {
      // The next sign-in reads the keys again, although they were read a moment ago.
      if (isOfUnknownKey(error)) this.#config = undefined;
      if (isUnreachable(error))
        throw serverErrors.provider_unavailable('the provider does not answer', { cause: error });
      throw serverErrors.sign_in_failed(whyOf(error), { cause: error });
    }
  }

  /** A page of this server; throws for the address of another one. */
  pageOf(to: string): URL {
    const page = new URL(to, this.#publicUrl);
    if (page.origin !== this.#publicUrl.origin)
      throw serverErrors.request_malformed('query.to: is no page of this server');
    return page;
  }

  #useOnce({ state, until }: Begun): void {
    const now = Date.now();
    for (const [each, end] of this.#used) if (end < now) this.#used.delete(each);
    if (this.#used.has(state)) throw serverErrors.sign_in_failed('this sign-in has come back before');
    this.#used.set(state, until);
  }

  #seal(begun: Begun): string {
    const start = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, start);
    const body = Buffer.concat([cipher.update(JSON.stringify(begun), 'utf8'), cipher.final()]);
    return Buffer.concat([start, cipher.getAuthTag(), body]).toString('base64url');
  }

  #unseal(sealed: string): Begun {
    let begun: Begun;
    try {
      const bytes = Buffer.from(sealed, 'base64url');
      const cipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12), { authTagLength: 16 });
      cipher.setAuthTag(bytes.subarray(12, 28));
      const text = Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
      begun = JSON.parse(text) as Begun;
    } catch (cause) {
      throw serverErrors.sign_in_failed('this browser has begun no sign-in here', { cause });
    }
    if (begun.until < Date.now()) throw serverErrors.sign_in_failed('the sign-in has taken too long');
    return begun;
  }

  async #configuration(): Promise<client.Configuration> {
    const known = this.#config;
    if (known !== undefined && performance.now() - known.at < METADATA_MS) return known.value;
    this.#reading ??= this.#discover().finally(() => {
      this.#reading = undefined;
    });
    try {
      const value = await this.#reading;
      this.#config = { value, at: performance.now() };
      return value;
    } catch (error) {
      // What was true an hour ago is better than no sign-in; a token with a new key is refused.
      if (known !== undefined) return known.value;
      throw serverErrors.provider_unavailable(
        `the metadata of the provider at ${this.issuer} cannot be read: ${whyOf(error)}`,
        { cause: error },
      );
    }
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const address = new URL(issuer);
    const insecure = isPlainLoopback(address);
    const metadata = { [client.clockTolerance]: SKEW_SECONDS };
    const found = await client.discovery(address, clientId, metadata, client.None(), {
      timeout: PATIENCE_SECONDS,
      execute: insecure ? [client.allowInsecureRequests] : [],
    });
    const server = found.serverMetadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const config = new client.Configuration(server, clientId, metadata, authentication);
    config.timeout = PATIENCE_SECONDS;
    if (insecure) client.allowInsecureRequests(config);
    // The ID token is evidence: its signature is checked, although it came from the provider itself.
    client.enableNonRepudiationChecks(config);
    return config;
  }
}
