// Owns the HTTP endpoint of a worker process: `/healthz`, `/readyz` and `/metrics`. It listens on loopback,
// unless the operator chose another address.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../../db/index.js';
import { EXPOSITION_TYPE, exposeSamples, type GcosError, toWire } from '../../kernel/index.js';
import { readConcerns } from '../intake/index.js';
import { workerErrors } from './errors.js';
import { readGauges } from './gauges.js';
import { errorFields, type Log, strikeOut } from './log.js';
import { gaugeSamples, processSamples, WORKER_METRICS, type WORKER_STATES } from './metrics.js';
import type { DutyState } from './run.js';

export const LOOPBACK = '127.0.0.1';
const READ_ONLY = {
  isolation: 'repeatable read',
  readOnly: true,
  statementTimeoutMs: 5_000,
  isBackground: true,
} as const;
/** A duty is unhealthy after this many failures in a row, or after this long in one round. */
const FAILING = 3;
const ROUND_MS = 300_000;
/** A full scan of a large host takes longer than other rounds. */
const AUDIT_MS = 3_600_000;

interface Health {
  /** Also true if degraded. */
  readonly ok: boolean;
  /** Degraded: every duty works, but an open finding says that a person must act. */
  readonly state: (typeof WORKER_STATES)[number];
  /** The findings behind `degraded`. */
  readonly concerns: readonly string[];
  readonly database: 'answers' | 'silent';
  readonly duties: readonly (DutyState & { readonly ok: boolean })[];
}

/** The process is healthy if the database answers and no duty is stuck or keeps failing. */
async function readHealth(db: Database, states: readonly DutyState[]): Promise<Health> {
  const concerns = await db
    .transaction({ ...READ_ONLY, isolation: 'read committed', statementTimeoutMs: 2_000 }, readConcerns)
    .catch(() => undefined);
  const answers = concerns !== undefined;
  const duties = states.map((each) => ({
    ...each,
    ok: each.failing < FAILING && (each.roundMs ?? 0) < (each.duty === 'audit' ? AUDIT_MS : ROUND_MS),
  }));
  const ok = answers && duties.every((each) => each.ok);
  return {
    ok,
    state: !ok ? 'failing' : concerns.length > 0 ? 'degraded' : 'healthy',
    concerns: concerns ?? [],
    database: answers ? 'answers' : 'silent',
    duties,
  };
}

/** Everything that is known: without the database, what this process knows itself. */
async function metricsText({ db, states, log }: EndpointOptions): Promise<string> {
  const { state, database } = await readHealth(db, states());
  const read = database === 'answers' ? db.transaction(READ_ONLY, (tx) => readGauges(tx)) : undefined;
  const gauges = await read?.catch((error: unknown) => {
    const { code, error: text } = errorFields(error);
    const message = `the metrics that are read from the database are missing: ${text}`;
    log('warn', 'endpoint_failed', { message, code: code ?? null, error: text ?? null });
    return undefined;
  });
  return exposeSamples(WORKER_METRICS, {
    ...(gauges === undefined ? {} : gaugeSamples(gauges)),
    ...processSamples(states(), state),
    gcos_database_up: [{ value: gauges === undefined ? 0 : 1 }],
  });
}

/** Why this process cannot work now; null: it can. Waiting for a lease or for a backfill is no reason. */
async function whyNotReady({ requireInstalled, signal }: EndpointOptions): Promise<string | null> {
  if (signal.aborted) return 'the worker is stopping';
  try {
    await requireInstalled();
    return null;
  } catch (error) {
    const { code, error: text } = errorFields(error);
    return strikeOut(`${code}: ${text}`);
  }
}

function refusalOf(error: NodeJS.ErrnoException, host: string, port: number): GcosError {
  const kind = ['EADDRINUSE', 'EACCES'].includes(error.code ?? '')
    ? 'worker_port_taken'
    : 'worker_host_invalid';
  return workerErrors[kind](`port ${port} of ${host}: ${error.code}`, { cause: error });
}

export interface EndpointOptions {
  readonly db: Database;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly states: () => readonly DutyState[];
  /** Fails if the database does not answer, or its schema is not that of this version. */
  readonly requireInstalled: () => Promise<void>;
  /** Aborted: the worker is stopping. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

export class Endpoint {
  readonly host: string;
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    ({ address: this.host, port: this.port } = server.address() as AddressInfo);
  }

  static async open(options: EndpointOptions): Promise<Endpoint> {
    const { host, port, log } = options;
    let reading: Promise<string> | undefined;
    // Concurrent requests share one database query.
    const metrics = (): Promise<string> => {
      reading ??= metricsText(options).finally(() => {
        reading = undefined;
      });
      return reading;
    };
    const json = (status: number, value: unknown) =>
      [status, 'application/json', `${JSON.stringify(toWire(value))}\n`] as const;
    const answer = async (request: IncomingMessage): Promise<readonly [number, string, string]> => {
      const path = (request.url ?? '/').split('?')[0];
      if (request.method !== 'GET' && request.method !== 'HEAD') return [405, 'text/plain', 'only GET\n'];
      if (path === '/metrics') return [200, EXPOSITION_TYPE, await metrics()];
      if (path === '/readyz') {
        const reason = await whyNotReady(options);
        return json(reason === null ? 200 : 503, { ready: reason === null, reason });
      }
      if (path !== '/healthz') return [404, 'text/plain', '/healthz, /readyz and /metrics\n'];
      const health = await readHealth(options.db, options.states());
      return json(health.ok ? 200 : 503, health);
    };
    const reply = (response: ServerResponse, [status, type, text]: readonly [number, string, string]) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    const server = createServer((request, response) => {
      answer(request).then(
        (found) => reply(response, found),
        (error: unknown) => {
          const { code, error: text } = errorFields(error);
          log('warn', 'endpoint_failed', {
            message: `${request.url} was not answered: ${text}`,
            ...{ code: code ?? null, error: text ?? null },
          });
          reply(response, [503, 'text/plain', `${code}: ${strikeOut(String(text))}\n`]);
        },
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(refusalOf(error, host, port)));
      server.listen(port, host, resolve);
    });
    return new Endpoint(server);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
