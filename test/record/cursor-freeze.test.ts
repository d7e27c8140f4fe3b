// A worker frozen (SIGSTOP) in the middle of a transaction, in a process of its own: another one takes over within the
// lease's time plus 15 s, the frozen one commits nothing when it wakes, and the host never waits for it for long.
import { afterAll, describe, expect, it } from 'vitest';
import { acquireLease, advance, type Lease, readCursors } from '../../src/record/cursor/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { prepareFeed, startWorkerProcess, until, type WorkerProcess } from '../support/worker-process.js';

const TTL_MS = 1_000;
const committed = { isolation: 'read committed' } as const;
type Where = 'before' | 'after' | 'sending';

interface Scene {
  readonly estate: Estate;
  readonly url: string;
  readonly frozen: WorkerProcess;
  /** When it stopped, by performance.now(). */
  readonly since: number;
  close(): Promise<void>;
}

/** A worker that stopped in its transaction: before or after it moved its cursor, or while a large result is on its way. */
async function freeze(where: Where): Promise<Scene> {
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
  });
  if (where === 'sending') {
    // It stops itself as soon as the question is asked.
    await until('the server is stuck sending', async () => {
      const rows = await asHost(
        estate.url,
        "select 1 from pg_stat_activity where application_name like 'gcos:sleeper:%' and wait_event = 'ClientWrite'",
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
    since: performance.now(),
    async close() {
      await frozen.end();
      await feed.close();
      await estate.close();
    },
  };
}

/** Inserts what the host inserts until `done`; the slowest one in milliseconds. */
async function slowestInsert(url: string, done: () => boolean): Promise<number> {
  const client = openDatabase(url, { poolSize: 1, lockTimeoutMs: 20_000 });
  let slowest = 0;
  try {
    for (let n = 0; n < 20 || !done(); n += 1) {
      const started = performance.now();
      await client.transaction(committed, (tx) =>
        tx.script(
          `insert into birth_registry (entity_code, collection_name, born_at) values ('FRZ-${n}', 'dot_tools', now());
           insert into event_pending (event_domain, event_type_hint, entity_table, canonical_address, actor_ref, error_count)
           values ('iu', 'iu.changed', 'x', 'x', 'host', 0)`,
        ),
      );
      slowest = Math.max(slowest, performance.now() - started);
    }
    return slowest;
  } finally {
    await client.close();
  }
}

/** Somebody else takes over and works; how long that took. */
async function takeOver(scene: Scene): Promise<{ lease: Lease; ms: number; close(): Promise<void> }> {
  const db = openDatabase(scene.url);
  const lease = await until(
    'the takeover',
    () => acquireLease(db, { worker: 'sleeper', source: 'feed', holder: 'awake' }),
    TTL_MS + 15_000,
  );
  const ms = performance.now() - scene.since;
  await lease.work(committed, (tx) => advance(tx, lease, 'main', { watermark: { at: null, id: '50' } }));
  return { lease, ms, close: () => db.close() };
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
  const stage = async (where: Where): Promise<Scene> => {
    const scene = await freeze(where);
    scenes.push(scene);
    return scene;
  };

  it('holding the cursor row: taken over within TTL + 15 s, wakes to nothing; host inserts do not notice', async () => {
    const scene = await stage('after');
    let over = false;
    const inserts = slowestInsert(scene.estate.url, () => over);
    const taken = await takeOver(scene);
    over = true;
    const slowest = await inserts;
    // The bound promised is 15 s more than the lease; it is met by ending the blocker, not by waiting for a time-out.
    expect(taken.ms).toBeLessThan(TTL_MS + 10_000);
    expect(slowest).toBeLessThan(1_000);
    await wake(scene);
    await taken.close();
  });

  it('holding host locks while the host alters a table: the takeover frees the way', async () => {
    const scene = await stage('before');
    let over = false;
    const started = performance.now();
    const altered = asHost(scene.estate.url, 'alter table birth_registry add column later integer').then(
      () => performance.now() - started,
    );
    const inserts = slowestInsert(scene.estate.url, () => over);
    const taken = await takeOver(scene);
    const ms = await altered;
    over = true;
    await inserts;
    expect(ms).toBeLessThan(15_000);
    await wake(scene);
    await taken.close();
  });

  it('stuck in the middle of a large result, which no idle time-out reaches: the takeover frees the way', async () => {
    const scene = await stage('sending');
    const started = performance.now();
    const altered = asHost(scene.estate.url, 'alter table birth_registry add column later integer').then(
      () => performance.now() - started,
    );
    const taken = await takeOver(scene);
    const ms = await altered;
    expect(ms).toBeLessThan(15_000);
    await wake(scene);
    await taken.close();
  });

  it('with nobody to take over: the server itself ends it, and the alter and the inserts behind it get through within 15 s', async () => {
    const scene = await stage('before');
    expect(await slowestInsert(scene.estate.url, () => true)).toBeLessThan(1_000);
    let over = false;
    const started = performance.now();
    const altered = asHost(scene.estate.url, 'alter table birth_registry add column later integer').then(
      () => performance.now() - started,
    );
    const inserts = slowestInsert(scene.estate.url, () => over);
    const ms = await altered;
    over = true;
    // 15 s from the moment it froze, and a little for a busy machine.
    expect(ms).toBeLessThan(15_500);
    await inserts;
    const taken = await takeOver(scene);
    await wake(scene);
    await taken.close();
  });
});
