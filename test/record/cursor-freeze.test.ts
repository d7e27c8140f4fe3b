// A worker process frozen (SIGSTOP) in a transaction: another worker takes over by ending its session, the
// frozen worker commits nothing when it continues, and the host waits for it no longer than the server's
// time-out for idle transactions.
import { afterAll, describe, expect, it } from 'vitest';
import { acquireLease, advance, readCursors } from '../../src/record/cursor/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';
import { prepareFeed, startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const TTL_MS = 1_000;
/** Longer than any test waits, so that the time-out of the server does not end the transaction. */
const NEVER_MS = 3_600_000;
const committed = { isolation: 'read committed' } as const;
type Where = 'before' | 'after' | 'sending';

interface Scene {
  readonly estate: Estate;
  readonly url: string;
  readonly frozen: WorkerProcess;
  close(): Promise<void>;
}

/** Freezes a worker in its transaction: before or after it moves its cursor, or in a large result. */
async function freeze(where: Where, limits: { readonly idleTimeoutMs?: number }): Promise<Scene> {
  const estate = await createEstate('installed');
  const feed = await prepareFeed(estate, 100);
  const frozen = startWorkerProcess({
    mode: 'freeze',
    where,
    url: feed.url,
    worker: 'sleeper',
    source: 'feed',
    holder: 'frozen',
    ttlMs: TTL_MS,
    ...limits,
  });
  if (where === 'sending') {
    // The worker stops itself right after it has sent its query.
    await until('the server is stuck sending', async () => {
      const rows = await asHost(
        estate.url,
        `select 1 from pg_stat_activity where datname = current_database() and application_name like 'gcos:sleeper:%' and wait_event = 'ClientWrite'`,
      );
      return rows.length === 1;
    });
  } else {
    await frozen.waitForState('in transaction');
    frozen.child.kill('SIGSTOP');
  }
  return {
    estate,
    url: feed.url,
    frozen,
    async close() {
      await frozen.end();
      await feed.close();
      await estate.close();
    },
  };
}

/** Inserts rows as the host does until `isDone`; fails if an insert waits for a lock longer than allowed. */
async function insertMeanwhile(url: string, isDone: () => boolean, lockTimeoutMs = 300_000): Promise<void> {
  const client = openDatabase(url, { poolSize: 1, lockTimeoutMs, statementTimeoutMs: 300_000 });
  try {
    for (let n = 0; n < 20 || !isDone(); n += 1)
      await client.transaction(committed, (tx) =>
        tx.script(
          `insert into birth_registry (entity_code, collection_name, born_at) values ('FRZ-${n}', 'dot_tools', now());
           insert into event_pending (event_domain, event_type_hint, entity_table, canonical_address, actor_ref, error_count)
           values ('iu', 'iu.changed', 'x', 'x', 'host', 0)`,
        ),
      );
  } finally {
    await client.close();
  }
}
const alter = (scene: Scene) =>
  asHost(scene.estate.url, 'alter table birth_registry add column later integer');

/** Another worker takes over and moves the cursor. */
async function takeOver(scene: Scene): Promise<void> {
  const db = openDatabase(scene.url);
  try {
    const lease = await until('the takeover', () =>
      acquireLease(db, { worker: 'sleeper', source: 'feed', holder: 'awake' }),
    );
    await lease.work(committed, (tx) => advance(tx, lease, 'main', { watermark: '50' }));
  } finally {
    await db.close();
  }
}

/** Continues the frozen worker: it has committed nothing and can commit nothing. */
async function wake(scene: Scene): Promise<void> {
  scene.frozen.child.kill('SIGCONT');
  scene.frozen.send('go');
  const report = await scene.frozen.waitForState('awake');
  expect(report['first']).toMatch(
    /^(database_restarting|connection_lost|session_timeout|lease_lost|serialization_failure)$/,
  );
  expect(report).toMatchObject({ again: 'lease_lost', lost: true });
  await scene.frozen.ended;
  expect(await asHost(scene.estate.url, 'select count(*)::int as n from applied')).toEqual([{ n: 0 }]);
  expect(
    await asHost(
      scene.estate.url,
      "select count(*)::int as n from event_pending where event_domain = 'governance'",
    ),
  ).toEqual([{ n: 0 }]);
  const [cursor] = await scene.estate.db.transaction(committed, (tx) => readCursors(tx));
  expect(cursor?.watermark).toEqual('50');
}

describe.concurrent('a worker frozen in the middle of a transaction', () => {
  const scenes: Scene[] = [];
  afterAll(async () => {
    for (const scene of scenes) await scene.close();
  });
  const stage = async (where: Where, limits: { readonly idleTimeoutMs?: number } = {}): Promise<Scene> => {
    const scene = await freeze(where, limits);
    scenes.push(scene);
    return scene;
  };

  it('that holds the cursor row is ended by the takeover and commits nothing; host inserts wait for no lock', async () => {
    const scene = await stage('after', { idleTimeoutMs: NEVER_MS });
    let hasEnded = false;
    const inserts = insertMeanwhile(scene.estate.url, () => hasEnded, 1_000);
    await takeOver(scene);
    hasEnded = true;
    await inserts;
    await wake(scene);
  });

  it('that holds host locks while the host alters a table is ended by the takeover, and the alter completes', async () => {
    const scene = await stage('before', { idleTimeoutMs: NEVER_MS });
    let hasEnded = false;
    const altered = alter(scene);
    const inserts = insertMeanwhile(scene.estate.url, () => hasEnded);
    await takeOver(scene);
    await altered;
    hasEnded = true;
    await inserts;
    await wake(scene);
  });

  it('that receives a large result, out of reach of the idle time-out, is ended by the takeover', async () => {
    const scene = await stage('sending');
    const altered = alter(scene);
    await takeOver(scene);
    await altered;
    await wake(scene);
  });

  it('with no other worker is ended by the server after 15 s; the waiting alter and inserts complete', async () => {
    const scene = await stage('before');
    expect(await scene.frozen.waitForState('in transaction')).toMatchObject({ idleSeconds: 15 });
    await insertMeanwhile(scene.estate.url, () => true, 1_000);
    let hasEnded = false;
    const altered = alter(scene);
    const inserts = insertMeanwhile(scene.estate.url, () => hasEnded);
    await altered;
    hasEnded = true;
    await inserts;
    await takeOver(scene);
    await wake(scene);
  });
});
