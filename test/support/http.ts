// A server of GCOS on a port of its own, and a client that knows nothing of it but HTTP.
import type { Gcos } from '../../src/index.js';
import { GcosError } from '../../src/kernel/index.js';
import type { Permission } from '../../src/server/index.js';
import { openServer, type RunningServer } from '../../src/server/index.js';

export interface TestServer extends RunningServer {
  /** What the server logged. */
  readonly logged: readonly string[];
  /** A request with the token that has this permission; null: without a credential. */
  call(path: string, options?: CallOptions): Promise<Answered>;
}

interface CallOptions {
  readonly method?: string;
  readonly as?: Permission | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the server sent
  readonly json: any;
}

const ORDER: readonly Permission[] = ['read', 'gate', 'decide', 'operate'];

/** Serves `gcos`. Until tokens are stored in the database, each permission has one, of its own name. */
export async function startServer(gcos: Gcos): Promise<TestServer> {
  const logged: string[] = [];
  const server = await openServer({
    gcos,
    port: 0,
    checkAnswers: true,
    log: (level, event, fields) => void logged.push(JSON.stringify({ level, event, ...fields })),
    identify: ({ credential, permission }) => {
      const refused = (code: string) => new GcosError(code, { exit: 2, when: code, help: code }, code);
      if (!ORDER.some((each) => each === credential)) throw refused('credential_unknown');
      if (credential !== permission && permission !== 'read') throw refused('permission_missing');
      return gcos;
    },
  });
  return {
    ...server,
    logged,
    async call(path, { method, as = 'read', body, headers = {} } = {}) {
      const response = await fetch(`${server.url}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(as === null ? {} : { authorization: `Bearer ${as}` }),
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
