// Owns the HTTP endpoint of a worker process: `/healthz` and `/metrics`, on the loopback interface only.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../../db/index.js';
import { readConcerns } from '../intake/index.js';
import { workerErrors } from './errors.js';
import { EXPOSITION_TYPE, expositionText, type Metric } from './exposition.js';
import { gaugeMetrics, readGauges } from './gauges.js';
import { errorFields, type Log, strikeOut } from './log.js';
import type { DutyState } from './run.js';

const LOOPBACK = '127.0.0.1';
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
  readonly ok: boolean;
  /** Degraded: every duty works, but an open finding says that a person must act. */
  readonly state: 'healthy' | 'degraded' | 'failing';
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

function processMetrics(states: readonly DutyState[]): Metric[] {
  const per = (value: (state: DutyState) => number | null) =>
    states.flatMap((state) => {
      const found = value(state);
      return found === null ? [] : [{ labels: { duty: state.duty }, value: found }];
    });
  return [
    {
      name: 'gcos_duty_rounds_total',
      help: 'rounds of each duty that this process has completed',
      type: 'counter',
      samples: per((state) => state.rounds),
    },
    {
      name: 'gcos_duty_errors_total',
      help: 'errors of each duty in this process',
      type: 'counter',
      samples: per((state) => state.errors),
    },
    {
      name: 'gcos_duty_working',
      help: '1 if this process holds the lease of the duty',
      type: 'gauge',
      samples: per((state) => (state.state === 'working' ? 1 : 0)),
    },
    {
      name: 'gcos_duty_last_round_seconds',
      help: 'how long the last round of each duty took',
      type: 'gauge',
      samples: per((state) => (state.lastRoundMs === null ? null : state.lastRoundMs / 1_000)),
    },
  ];
}

export interface EndpointOptions {
  readonly db: Database;
  /** 0: any free port. */
  readonly port: number;
  readonly states: () => readonly DutyState[];
  readonly log: Log;
}

export class Endpoint {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async open(options: EndpointOptions): Promise<Endpoint> {
    const { port, log } = options;
    let reading: Promise<string> | undefined;
    // Concurrent requests share one database query.
    const metrics = (): Promise<string> => {
      reading ??= options.db
        .transaction(READ_ONLY, (tx) => readGauges(tx))
        .then((gauges) => expositionText([...gaugeMetrics(gauges), ...processMetrics(options.states())]))
        .finally(() => {
          reading = undefined;
        });
      return reading;
    };
    const answer = async (request: IncomingMessage): Promise<readonly [number, string, string]> => {
      const path = (request.url ?? '/').split('?')[0];
      if (request.method !== 'GET' && request.method !== 'HEAD') return [405, 'text/plain', 'only GET\n'];
      if (path === '/metrics') return [200, EXPOSITION_TYPE, await metrics()];
      if (path !== '/healthz') return [404, 'text/plain', '/healthz and /metrics\n'];
      const health = await readHealth(options.db, options.states());
      return [health.ok ? 200 : 503, 'application/json', `${JSON.stringify(health)}\n`];
    };
    const reply = (response: ServerResponse, [status, type, text]: readonly [number, string, string]) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    const server = createServer((request, response) => {
      answer(request).then(
        (found) => reply(response, found),
        (error: unknown) => {
          const { code, error: text } = errorFields(error);
          log('warn', 'endpoint_failed', { code: code ?? null, error: text ?? null });
          reply(response, [503, 'text/plain', `${code}: ${strikeOut(String(text))}\n`]);
        },
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          workerErrors.worker_port_taken(`port ${port} of ${LOOPBACK}: ${error.code}`, { cause: error }),
        ),
      );
      server.listen(port, LOOPBACK, resolve);
    });
    return new Endpoint(server);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}
