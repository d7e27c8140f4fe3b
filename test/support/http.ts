// A server of GCOS on a port of its own, and a client that knows nothing of it but HTTP.
import type { Permission } from '../../src/server/index.js';
import { openServer, type RunningServer, type ServerOptions } from '../../src/server/index.js';
import { asHost, urlAs } from './database.js';
import { type Estate, openAt } from './estate.js';

export interface TestServer extends RunningServer {
  /** A token of each permission. */
  readonly tokens: Readonly<Record<Permission, string>>;
  /** What the server logged. */
  readonly logged: readonly string[];
  /** A request with the token that has this permission; null: without a credential. */
  call(path: string, options?: CallOptions): Promise<Answered>;
}

export interface CallOptions {
  readonly method?: string;
  readonly as?: Permission | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the server sent
  readonly json: any;
}

const PERMISSIONS: readonly Permission[] = ['read', 'gate', 'decide', 'operate'];
/** The person of the tokens that decide and operate. */
export const TOKEN_PERSON = 'token-person';

/** Creates a person with a token of each permission. */
async function createTokens(estate: Served): Promise<Record<Permission, string>> {
  await asHost(
    estate.url,
    `insert into gcos_trust.governance_actor (person_ref, approver_type) values ('${TOKEN_PERSON}', 'president') on conflict do nothing`,
  );
  const tokens: [Permission, string][] = [];
  for (const permission of PERMISSIONS) {
    const { token } = await estate.gcos.tokens.create({
      name: permission,
      permissions: [permission],
      person: TOKEN_PERSON,
    });
    tokens.push([permission, token]);
  }
  return Object.fromEntries(tokens) as Record<Permission, string>;
}

type Served = Pick<Estate, 'gcos' | 'url'>;

/** Serves the estate with the login of a server, and creates a token for each permission. */
export async function startServer(estate: Served, options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const logged: string[] = [];
  const tokens = await createTokens(estate);
  const gcos = await openAt(urlAs(estate.url, 'server'));
  const server = await openServer({
    gcos,
    port: 0,
    checkAnswers: true,
    log: (level, event, fields) => void logged.push(JSON.stringify({ level, event, ...fields })),
    ...options,
  });
  return {
    ...server,
    logged,
    tokens,
    async close() {
      await server.close();
      await gcos.close();
    },
    async call(path, { method, as = 'read', body, headers = {} } = {}) {
      const response = await fetch(`${server.url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(as === null ? {} : { authorization: `Bearer ${tokens[as]}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      };
    },
  };
}
