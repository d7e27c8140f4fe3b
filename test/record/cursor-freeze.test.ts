// A worker frozen (SIGSTOP) in the middle of a transaction, in a process of its own: another one takes over by ending it, the frozen one
// commits nothing when it wakes, and the host never waits for it for longer than the server lets a silent transaction live.
import { afterAll, describe, expect, it } from 'vitest';
import { acquireLease, advance, readCursors } from '../../src/record/cursor/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';
import { prepareFeed, startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const TTL_MS = 1_000;
/** Longer than any test waits: what ends such a transaction is not the time-out of the server. */
const NEVER_MS = 3_600_000;
const committed = { isolation: 'read committed' } as const;
type Where = 'before' | 'after' | 'sending';

interface Scene {
  readonly estate: Estate;
  readonly url: string;
  readonly frozen: WorkerProcess;
  close(): Promise<void>;
}

/** A worker that stopped in its transaction: before or after it moved its cursor, or while a large result is on its way. */
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
    // It stops itself as soon as the question is asked.
    await until('the server is stuck sending', async () => {
      const rows = await asHost(
        estate.url,
        `select 1 from pg_stat_activity where datname = current_database() and application_name like 'gcos:sleeper:%' and wait_event = 'ClientWrite'`,
      );
      return rows.length === 1;
    });
  } else {
    await frozen.saying('in transaction');
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

/** Inserts what the host inserts until `isDone`; fails if one of them waits for a lock for longer than it may. */
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

/** Another worker takes over, and works. */
async function takeOver(scene: Scene): Promise<void> {
  const db = openDatabase(scene.url);
  try {
    const lease = await until('the takeover', () =>
      acquireLease(db, { worker: 'sleeper', source: 'feed', holder: 'awake' }),
    );
    await lease.work(committed, (tx) => advance(tx, lease, 'main', { watermark: { at: null, id: '50' } }));
  } finally {
    await db.close();
  }
}

/** The frozen one wakes: it must have committed nothing, and be able to commit nothing. */
async function wake(scene: Scene): Promise<void> {
  scene.frozen.child.kill('SIGCONT');
  scene.frozen.tell('go');
  const said = await scene.frozen.saying('awake');
  expect(said['first']).toMatch(/^(database_unreachable|lease_lost|serialization_failure)$/);
  expect(said).toMatchObject({ again: 'lease_lost', lost: true });
  await scene.frozen.ended;
  expect(await asHost(scene.estate.url, 'select count(*)::int as n from applied')).toEqual([{ n: 0 }]);
  expect(
    await asHost(
      scene.estate.url,
      "select count(*)::int as n from event_pending where event_domain = 'governance'",
    ),
  ).toEqual([{ n: 0 }]);
  const [cursor] = await scene.estate.db.transaction(committed, (tx) => readCursors(tx));
  expect(cursor?.watermark).toEqual({ at: null, id: '50' });
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

  it('holding the cursor row: the takeover ends it, it wakes to nothing; host inserts wait for no lock', async () => {
    const scene = await stage('after', { idleTimeoutMs: NEVER_MS });
    let isOver = false;
    const inserts = insertMeanwhile(scene.estate.url, () => isOver, 1_000);
    await takeOver(scene);
    isOver = true;
    await inserts;
    await wake(scene);
  });

  it('holding host locks while the host alters a table: the takeover frees the way', async () => {
    const scene = await stage('before', { idleTimeoutMs: NEVER_MS });
    let isOver = false;
    const altered = alter(scene);
    const inserts = insertMeanwhile(scene.estate.url, () => isOver);
    await takeOver(scene);
    await altered;
    isOver = true;
    await inserts;
    await wake(scene);
  });

  it('stuck in the middle of a large result, which no idle time-out reaches: the takeover frees the way', async () => {
    const scene = await stage('sending');
    const altered = alter(scene);
    await takeOver(scene);
    await altered;
    await wake(scene);
  });

  it('with no other worker: the server ends it after 15 s, and the alter and the inserts behind it get through', async () => {
    const scene = await stage('before');
    expect(await scene.frozen.saying('in transaction')).toMatchObject({ idleSeconds: 15 });
    await insertMeanwhile(scene.estate.url, () => true, 1_000);
    let isOver = false;
    const altered = alter(scene);
    const inserts = insertMeanwhile(scene.estate.url, () => isOver);
    await altered;
    isOver = true;
    await inserts;
    await takeOver(scene);
    await wake(scene);
  });
});
