// Runs a worker from the built library in a separate process, for tests that freeze or kill it. Reports on
// stdout, one JSON object per line. Modes: freeze, count, grab.
import { createInterface } from 'node:readline';
import { Database, statement } from '../../dist/db/index.js';
import {
  acquireLease,
  advance,
  readCursor,
  recordFailures,
  runUnderLease,
} from '../../dist/record/cursor/index.js';

const options = JSON.parse(process.argv[2]);
const db = new Database({
  target: { kind: 'url', url: options.url },
  schema: 'public',
  trustSchema: 'gcos_trust',
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 3_000,
  poolSize: 3,
  connectTimeoutMs: 10_000,
});
const report = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const committed = { isolation: 'read committed' };

const countBirths = statement({
  name: 'test.count_births',
  sql: 'select count(*) as n from birth_registry',
});
/** More than a socket buffer holds: the server blocks while sending it if the client does not read. */
const readMuch = statement({
  name: 'test.read_much',
  sql: "select entity_code, repeat('x', 4000) as filler from birth_registry",
});
const readIdle = statement({
  name: 'test.read_idle',
  sql: "select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::int4 as seconds",
});
const apply = statement({
  name: 'test.apply',
  sql: 'insert into applied (id, holder, fence) select f.id, $3::text, $4::int8 from feed f where f.id > $1::int8 order by f.id limit $2::int4 returning id',
  params: ['after', 'limit', 'holder', 'fence'],
});

/** In one transaction: takes the next items, records them, advances the cursor. */
async function takeItems(lease, limit) {
  return lease.work(committed, async (tx) => {
    const cursor = await readCursor(tx, lease, 'main');
    const after = BigInt(cursor.watermark ?? 0);
    const rows = await tx.run(apply, { after, limit, holder: lease.holder, fence: lease.fence });
    const last = rows.reduce((max, row) => (row.id > max ? row.id : max), after);
    await advance(tx, lease, 'main', { watermark: String(last), eventsSeen: rows.length });
    return { taken: rows.length, last };
  });
}

const outcome = (work) =>
  work.then(
    () => 'committed',
    (error) => error.code,
  );

/** Takes the lease, pauses in a transaction that holds host and cursor locks, and tries to commit later. */
async function freeze() {
  const { worker, source, holder, ttlMs, where, idleTimeoutMs } = options;
  const limits = idleTimeoutMs === undefined ? {} : { idleTimeoutMs };
  const lease = await acquireLease(db, { worker, source, holder, ttlMs });
  lease.startRenewing({ everyMs: ttlMs / 3 });
  const first = outcome(
    lease.work({ ...committed, ...limits }, async (tx) => {
      await tx.one(countBirths, {});
      await tx.run(apply, { after: 0n, limit: 5, holder, fence: lease.fence });
      const failures = [{ table: 'feed', ref: 'frozen', error: new Error('frozen') }];
      if (where === 'after') {
        await recordFailures(tx, lease, 'main', failures);
        await advance(tx, lease, 'main', { watermark: '5' });
      }
      if (where === 'sending') {
        const reading = tx.run(readMuch, {});
        setImmediate(() => process.kill(process.pid, 'SIGSTOP'));
        await reading;
      } else {
        const { seconds } = await tx.one(readIdle, {});
        report({ state: 'in transaction', fence: String(lease.fence), idleSeconds: seconds });
        await lines.next();
      }
      if (where !== 'after') await advance(tx, lease, 'main', { watermark: '5' });
    }),
  );
  const result = await first;
  const again = await outcome(takeItems(lease, 5));
  await lease.stopRenewing();
  report({ state: 'awake', first: result, again, lost: lease.lost.aborted });
}

/** Processes the feed until a line arrives on stdin. */
async function count() {
  const { worker, source, holder, ttlMs, batch } = options;
  const stop = new AbortController();
  void lines.next().then(() => stop.abort());
  await runUnderLease({
    db,
    worker,
    source,
    holder,
    ttlMs,
    renewEveryMs: ttlMs / 3,
    restMs: 20,
    backoffMs: 20,
    signal: stop.signal,
    onError: (error) => report({ state: 'error', code: error.code, message: error.message }),
    async work(lease) {
      const { taken, last } = await takeItems(lease, batch);
      return {
        more: taken === batch,
        progress: { value: String(last) },
        lagSeconds: taken === batch ? 1 : 0,
      };
    },
  });
  report({ state: 'stopped' });
}

/** Acquires the lease repeatedly; every third time it does not release it, as after a crash. */
async function grab() {
  const { worker, source, holder, ttlMs, times } = options;
  for (let n = 0; n < times; ) {
    const lease = await acquireLease(db, { worker, source, holder: `${holder}-${n}`, ttlMs });
    if (lease === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    n += 1;
    const outcomes = [await outcome(takeItems(lease, 1)), await outcome(takeItems(lease, 1))];
    const late = n % 3 === 0;
    if (late) await new Promise((resolve) => setTimeout(resolve, ttlMs * 2));
    if (late) outcomes.push(await outcome(takeItems(lease, 1)));
    report({ state: 'grabbed', fence: String(lease.fence), outcomes, late });
    if (!late) await lease.release();
  }
  report({ state: 'stopped' });
}

await { freeze, count, grab }[options.mode]();
await db.close();
process.stdin.destroy();
