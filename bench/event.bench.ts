// Measures signals per second: emitted in batches, against a bare insert of the same rows; and held ones
// promoted, against a job queue that completes no-op jobs. All on the same server in the same run.
import { Logger, runMigrations, runOnce } from 'graphile-worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { statement } from '../src/db/index.js';
import { buildEstate } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { emitSignals, promoteBatch } from '../src/record/event/index.js';
import { asHost, createDatabase, type TestDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { mapTester, signalOf } from '../test/support/events.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median, timed } from './measure.js';

const ROUNDS = 5;
const SIGNALS = 20_000;
const BATCH = 1_000;
const GOAL = 20_000;
const TYPE = 'handoff.count_changed';
const RC = { isolation: 'read committed' } as const;

let server: TestServer;
let database: TestDatabase;
let gcos: Gcos;

beforeAll(async () => {
  // Durability is on, as on a production server.
  server = await startServer({ settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } });
  database = await createDatabase({ serverUrl: server.url });
  await buildEstate(database.db, { rows: 100_000 });
  gcos = await openAt(database.url);
  await gcos.init();
  await mapTester(database.url);
});
afterAll(async () => {
  await gcos?.close();
  await database?.close();
  await server?.stop();
});

const quiet = new Logger(() => () => undefined);
const perSecond = (count: number, ms: number): number => Math.round((count / ms) * 1_000);
const show = (n: number): string => n.toLocaleString('en-US').padStart(9);

function batches(round: number): ReturnType<typeof signalOf>[][] {
  return Array.from({ length: SIGNALS / BATCH }, (_, batch) =>
    Array.from({ length: BATCH }, (__, n) =>
      signalOf(TYPE, `R${round}-${batch}-${n}`, {
        payload: {
          collection_name: 'dot_tools',
          group_key: 'a1b2c3d4e5f60718',
          change_kind: 'count_changed',
          count: n,
        },
      }),
    ),
  );
}

/** Inserts the same rows into the same table, and does nothing else: the lower bound. */
const bareInsert = statement<
  {
    readonly types: readonly string[];
    readonly tables: readonly string[];
    readonly refs: readonly string[];
    readonly addresses: readonly string[];
    readonly payloads: readonly string[];
  },
  Record<never, never>
>({
  name: 'bench.bare_insert',
  sql: `insert into event_outbox (id, event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table,
      event_subject_ref, canonical_address, actor_ref, source_system, payload_classification, safe_payload, occurred_at, created_at)
    select gen_random_uuid(), 'bench', s.type, 'governance.handoff', 'immediate', 'low', s.subject_table, s.ref, s.address, 'bench', 'bench',
      'safe_metadata', s.payload::jsonb, now(), clock_timestamp()
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as s(type, subject_table, ref, address, payload)`,
  params: ['types', 'tables', 'refs', 'addresses', 'payloads'],
});

it(`emits at least ${GOAL.toLocaleString('en-US')} signals a second on one connection`, async () => {
  await gcos.events.activate([TYPE]);
  const emitted: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const work = batches(round);
    emitted.push(
      await timed(async () => {
        for (const signals of work) await database.db.transaction(RC, (tx) => emitSignals(tx, signals));
      }),
    );
    bare.push(
      await timed(async () => {
        for (const signals of work)
          await database.db.transaction(RC, (tx) =>
            tx.run(bareInsert, {
              types: signals.map((each) => each.type),
              tables: signals.map((each) => each.subjectTable),
              refs: signals.map((each) => each.subjectRef ?? ''),
              addresses: signals.map((each) => `${each.subjectTable}:${each.subjectRef}`),
              payloads: signals.map((each) => JSON.stringify(each.payload)),
            }),
          );
      }),
    );
  }
  const rate = perSecond(SIGNALS, median(emitted));
  console.log(
    [
      `\nsignals in batches of ${BATCH}, one connection, median of ${ROUNDS}`,
      `  emit or hold, audited:          ${show(rate)} a second`,
      `  bare insert of the same rows:   ${show(perSecond(SIGNALS, median(bare)))} a second`,
      `  ratio ${(median(emitted) / median(bare)).toFixed(2)}; goal ≥ ${GOAL.toLocaleString('en-US')} a second: ${rate >= GOAL ? 'met' : 'MISSED'}`,
    ].join('\n'),
  );
  expect(rate).toBeGreaterThanOrEqual(GOAL);
});

it('promotes held signals; a job queue completes as many no-op jobs for comparison', async () => {
  await runMigrations({ connectionString: database.url });
  const promoted: number[] = [];
  const jobs: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await gcos.events.deactivate([TYPE]);
    for (const signals of batches(ROUNDS + round))
      await database.db.transaction(RC, (tx) => emitSignals(tx, signals));
    await gcos.events.activate([TYPE]);
    promoted.push(
      await timed(async () => {
        for (let left = SIGNALS; left > 0; )
          left -= (await database.db.transaction(RC, (tx) => promoteBatch(tx, { limit: BATCH }))).promoted;
      }),
    );
    await asHost(
      database.url,
      `select count(graphile_worker.add_job('noop')) from generate_series(1, ${SIGNALS})`,
    );
    jobs.push(
      await timed(() =>
        // With batching, as the authors of graphile-worker recommend for throughput.
        runOnce({
          noHandleSignals: true,
          taskList: { noop: () => undefined },
          logger: quiet,
          preset: {
            worker: {
              connectionString: database.url,
              concurrentJobs: 24,
              maxPoolSize: 25,
              localQueue: { size: 500 },
              completeJobBatchDelay: 0,
              failJobBatchDelay: 0,
            },
          },
        }),
      ),
    );
    expect(await asHost(database.url, 'select count(*)::int as n from graphile_worker.jobs')).toEqual([
      { n: 0 },
    ]);
  }
  console.log(
    [
      `\n${SIGNALS.toLocaleString('en-US')} items, median of 3`,
      `  promoted in order, batches of ${BATCH}:               ${show(perSecond(SIGNALS, median(promoted)))} a second`,
      `  graphile-worker, no-op jobs, batched, 24 at a time:${show(perSecond(SIGNALS, median(jobs)))} a second`,
      `  ratio of times ${(median(promoted) / median(jobs)).toFixed(2)}`,
    ].join('\n'),
  );
  expect(median(promoted)).toBeGreaterThan(0);
});
