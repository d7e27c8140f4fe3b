// Measures the gate over HTTP beside a hono route that inserts one row, in one run: checks per second and how
// long the slowest take. With GCOS_BENCH_MINUTES, then a steady load at half that rate, with a worker and
// traffic: the memory of the server must stay flat, and no request may fail.

import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, runTraffic } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { asHost, openDatabase, ROLE_PASSWORD } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { type TestServer as HttpServer, startServer as startHttp } from '../test/support/http.js';
import { permittedSubjects, type Subject } from '../test/support/permitted.js';
import { putRulesIntoForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median } from './measure.js';

const ROWS = Number(process.env['GCOS_BENCH_ROWS'] ?? 20_000);
const MINUTES = Number(process.env['GCOS_BENCH_MINUTES'] ?? 0);
const CLIENTS = 4;
const ROUNDS = 9;
const ROUND_MS = 2_000;
const GOAL = 0.4;

let database: TestServer;
let gcos: Gcos;
let http: HttpServer;
let bare: { readonly url: string; close(): Promise<void> };
let subjects: readonly Subject[];

/** A route that does nothing but insert one row, with a pool of the same size. */
async function startBare(url: string): Promise<typeof bare> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS });
  const app = new Hono();
  app.post('/insert', async (context) => {
    const { what } = (await context.req.json()) as { what: string };
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('insert into bare_insert (at, what, answer) values (now(), $1::text, $2::text)', [
        what,
        'allow',
      ]);
      await client.query('commit');
    } finally {
      client.release();
    }
    return context.json({ decision: true });
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      await pool.end();
    },
  };
}

beforeAll(async () => {
  database = await startServer({ settings: { max_connections: '60', synchronous_commit: 'on' } });
  const db = openDatabase(database.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: ROWS });
  await db.close();
  gcos = await openAt(database.url);
  await gcos.init();
  await asHost(
    database.url,
    `alter role gcos_server login password '${ROLE_PASSWORD}';
     create table bare_insert (id bigint generated always as identity primary key, at timestamptz, what text, answer text)`,
  );
  await putRulesIntoForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  await asHost(database.url, 'vacuum analyze');
  subjects = await permittedSubjects(database.url);
  http = await startHttp(
    { gcos, url: database.url },
    { checkAnswers: false, limits: { perSecond: 1_000_000 } },
  );
  bare = await startBare(database.url);
});
afterAll(async () => {
  await bare?.close();
  await http?.close();
  await gcos?.close();
  await database?.stop();
});

type Request = (turn: number) => { readonly url: string; readonly body: object };

async function send(request: ReturnType<Request>): Promise<boolean> {
  const response = await fetch(request.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${http.tokens.gate}`, 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  await response.text();
  return response.status === 200;
}

const check: Request = (turn) => ({
  url: `${http.url}/api/v1/gate/check`,
  body: subjects[turn % subjects.length] ?? {},
});
const authZen: Request = (turn) => {
  const subject = subjects[turn % subjects.length];
  return {
    url: `${http.url}/access/v1/evaluation`,
    body: {
      subject: { type: 'workload', id: 'bench' },
      action: { name: 'execute' },
      resource: { type: subject?.collection, id: subject?.code },
    },
  };
};
const insert: Request = (turn) => ({ url: `${bare.url}/insert`, body: { what: `subject ${turn}` } });

/** Answers per second of clients that ask without a pause, and how long each took. */
async function rateOf(request: Request, times: number[]): Promise<number> {
  const until = performance.now() + ROUND_MS;
  let answered = 0;
  const client = async (number: number) => {
    for (let turn = number; performance.now() < until; turn += CLIENTS) {
      const started = performance.now();
      if (!(await send(request(turn)))) throw new Error('a request failed');
      times.push(performance.now() - started);
      answered += 1;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return (answered * 1_000) / (performance.now() - started);
}

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

it('answers checks over HTTP at 0.4 of the rate of a route that inserts one row', async () => {
  const sides = { check, authZen, insert };
  const rates = new Map<string, number[]>();
  const times = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [name, request] of Object.entries(sides)) {
      const taken: number[] = [];
      const rate = await rateOf(request, taken);
      // The first round fills caches.
      if (round === 0) continue;
      rates.set(name, [...(rates.get(name) ?? []), rate]);
      times.set(name, [...(times.get(name) ?? []), ...taken]);
    }
  const of = (name: string) => median(rates.get(name) ?? []);
  // Round by round, because the load of the machine changes from one to the next.
  const ratioOf = (name: string) =>
    median((rates.get(name) ?? []).map((rate, round) => rate / (rates.get('insert')?.[round] ?? Number.NaN)));
  console.log(
    [
      `\n${ROWS.toLocaleString('en-US')} births, ${CLIENTS} clients, median of ${ROUNDS} rounds of ${ROUND_MS / 1_000} s`,
      ...['check', 'authZen', 'insert'].map(
        (name) =>
          `  ${name}: ${of(name).toFixed(0)} per second, p99 ${p99(times.get(name) ?? []).toFixed(1)} ms, ratio ${ratioOf(name).toFixed(2)}`,
      ),
      `  goal ≥ ${GOAL}: ${ratioOf('check') >= GOAL ? 'met' : 'MISSED'}`,
    ].join('\n'),
  );
  if (MINUTES > 0) await steady(of('check') / 2);
  expect(ratioOf('check')).toBeGreaterThanOrEqual(GOAL);
});

const megabytes = () => process.memoryUsage().rss / 1_048_576;

/** Checks at a rate, with a worker and traffic; prints the memory of this process, in which they all run. */
async function steady(perSecond: number): Promise<void> {
  const stop = new AbortController();
  const working = gcos.worker.run({ signal: stop.signal, log: () => undefined, port: 'off' });
  const trafficDb = openDatabase(database.url);
  const traffic = runTraffic(trafficDb, { rate: 5, seed: 1, signal: stop.signal }).catch(() => undefined);
  const ends = performance.now() + MINUTES * 60_000;
  const heaps: number[] = [];
  let asked = 0;
  let failed = 0;
  const taken: number[] = [];
  const started = performance.now();
  while (performance.now() < ends) {
    const due = Math.floor(((performance.now() - started) / 1_000) * perSecond) - asked;
    await Promise.all(
      Array.from({ length: Math.min(due, CLIENTS * 4) }, async () => {
        asked += 1;
        const begun = performance.now();
        if (!(await send(check(asked)))) failed += 1;
        taken.push(performance.now() - begun);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (performance.now() - started > heaps.length * 15_000) heaps.push(megabytes());
  }
  stop.abort();
  await Promise.all([working, traffic]);
  await trafficDb.close();
  console.log(
    [
      `\n${asked} checks in ${MINUTES} min at ${perSecond.toFixed(0)} per second, with worker and traffic: ${failed} failed, p99 ${p99(taken).toFixed(1)} ms`,
      `  memory of server, worker, traffic and clients in MB, every 15 s: ${heaps.map((each) => each.toFixed(0)).join(' ')}`,
    ].join('\n'),
  );
  expect(failed).toBe(0);
}
