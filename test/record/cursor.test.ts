// Cursors, leases, retries and the pause: progress goes forward only, under the fence, and nothing that failed is lost.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/index.js';
import {
  acquireLease,
  advance,
  dueRetries,
  Lease,
  type LeaseRequest,
  readCursor,
  readCursors,
  readHeartbeats,
  recordFailures,
  reportFault,
  resetCursor,
  runUnderLease,
  settleRetries,
  tick,
  type Watermark,
} from '../../src/record/cursor/index.js';
import { runCli } from '../support/cli.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { prepareFeed, until } from '../support/worker-process.js';

const committed = { isolation: 'read committed' } as const;
const AT = '2026-06-01 12:00:00+00';

let estate: Estate;
let feed: { url: string; close(): Promise<void> };
let db: Database;
let sources = 0;
/** Each test has a source of its own. */
let source = '';

beforeAll(async () => {
  estate = await createEstate('installed');
  feed = await prepareFeed(estate, 10);
  db = openDatabase(feed.url);
});
afterAll(async () => {
  await db?.close();
  await feed?.close();
  await estate?.close();
});
beforeEach(() => {
  sources += 1;
  source = `source_${sources}`;
});

async function take(request: Partial<LeaseRequest> = {}): Promise<Lease> {
  const lease = await acquireLease(db, { worker: 'tester', source, holder: 'one', ...request });
  if (lease === undefined) throw new Error('the lease is not free');
  return lease;
}

const move = (lease: Lease, watermark: Watermark, round = 'main') =>
  lease.work(committed, (tx) => advance(tx, lease, round, { watermark }));
const watermark = (lease: Lease, round = 'main') =>
  db.transaction(committed, async (tx) => (await readCursor(tx, lease, round)).watermark);

describe('watermarks', () => {
  it('integers compare as integers: "10" comes after "9"', async () => {
    const lease = await take();
    for (const id of ['-3', '9', '10', '10', '99', '100', '9223372036854775808'])
      await move(lease, { at: null, id });
    expect(await watermark(lease)).toEqual({ at: null, id: '9223372036854775808' });
    await expect(move(lease, { at: null, id: '9' })).rejects.toMatchObject({
      code: 'cursor_watermark_regression',
      exit: 1,
    });
    expect(await watermark(lease)).toEqual({ at: null, id: '9223372036854775808' });
  });

  it('uuids compare in uuid order, whatever their case', async () => {
    const lease = await take({ rounds: [{ round: 'main', idType: 'uuid' }] });
    await move(lease, { at: null, id: '0A000000-0000-4000-8000-000000000000' });
    await move(lease, { at: null, id: 'a9000000-0000-4000-8000-000000000000' });
    await expect(move(lease, { at: null, id: '9f000000-0000-4000-8000-000000000000' })).rejects.toMatchObject(
      {
        code: 'cursor_watermark_regression',
      },
    );
    await move(lease, { at: null, id: 'B0000000-0000-4000-8000-000000000000' });
    expect(await watermark(lease)).toEqual({ at: null, id: 'b0000000-0000-4000-8000-000000000000' });
  });

  it('times compare as times, with microseconds, zones and infinity, and come before ids', async () => {
    const lease = await take();
    for (const [at, id] of [
      ['-infinity', '5'],
      ['2026-06-01 09:00:00.000001+00', '9'],
      ['2026-06-01 09:00:00.000001+00', '10'],
      ['2026-06-01 08:00:00.000002-01', '2'],
      ['infinity', '1'],
      ['infinity', '2'],
    ] as const)
      await move(lease, { at, id });
    await expect(move(lease, { at: '9999-12-31 00:00:00+00', id: '9' })).rejects.toMatchObject({
      code: 'cursor_watermark_regression',
    });
    await expect(move(lease, { at: 'infinity', id: '1' })).rejects.toMatchObject({
      code: 'cursor_watermark_regression',
    });
    await expect(move(lease, { at: null, id: '3' })).rejects.toMatchObject({
      code: 'cursor_watermark_regression',
    });
    expect(await watermark(lease)).toEqual({ at: 'infinity', id: '2' });
  });

  it('what is no time or no id of the source is refused before it is stored', async () => {
    const lease = await take();
    for (const bad of [
      { at: 'yesterday morning', id: '1' },
      { at: '2026-13-01', id: '1' },
      { at: null, id: '1; drop table' },
      { at: null, id: '0a000000-0000-4000-8000-000000000000' },
    ])
      await expect(move(lease, bad)).rejects.toMatchObject({ code: 'cursor_watermark_invalid', exit: 3 });
    expect(await watermark(lease)).toEqual({ at: null, id: null });
    await expect(take({ rounds: [{ round: 'main', idType: 'uuid' }], source: 'NO' })).rejects.toMatchObject({
      code: 'worker_invalid',
    });
  });

  it('horizons go forward only, too; what is left out stays', async () => {
    const lease = await take({ rounds: [{ round: 'wide', idType: 'integer' }] });
    const go = (horizon: string) =>
      lease.work(committed, (tx) => advance(tx, lease, 'wide', { horizon, eventsSeen: 3 }));
    await go('4294967296');
    await go('4294967297');
    await expect(go('4294967295')).rejects.toMatchObject({ code: 'cursor_watermark_regression' });
    await lease.work(committed, (tx) =>
      advance(tx, lease, 'wide', { phase: 'tailing', summary: { groups: 2 }, attemptsWritten: 1, at: AT }),
    );
    const [cursor] = await db.transaction(committed, (tx) => readCursors(tx, { worker: 'tester', source }));
    expect(cursor).toMatchObject({
      horizon: '4294967297',
      eventsSeen: 6n,
      attemptsWritten: 1n,
      phase: 'tailing',
      lastRunAt: '2026-06-01 12:00:00+00',
      lastRunSummary: { groups: 2 },
    });
  });

  it('only an explicit reset goes back; it is audited and ends what is under way', async () => {
    const lease = await take();
    await move(lease, { at: null, id: '100' });
    const mapping = await estate.gcos.installation.hostVocabulary();
    const to = { worker: 'tester', source, round: 'main', reason: 'a restored backup' };
    await db.transaction(committed, (tx) =>
      resetCursor(tx, mapping, { ...to, watermark: { at: null, id: '40' } }),
    );
    expect(await watermark(lease)).toEqual({ at: null, id: '40' });
    await expect(move(lease, { at: null, id: '101' })).rejects.toMatchObject({ code: 'lease_lost' });
    const audit = await asHost(
      estate.url,
      `select entity_type, action, alert_detail from registry_changelog where entity_code = 'tester/${source}/main'`,
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ entity_type: 'governance_cursor', action: 'replay' });
    expect(JSON.parse(audit[0]?.['alert_detail'] as string)).toMatchObject({
      reason: 'a restored backup',
      from: { id: '100' },
      to: { id: '40' },
    });
    // The lease was given up with it: the next one need not wait. The holder itself may reset and go on.
    const next = await take({ holder: 'two' });
    expect(next.fence).toBeGreaterThan(lease.fence);
    await next.work(committed, async (tx) => {
      await resetCursor(tx, mapping, { ...to, watermark: null, lease: next });
      await advance(tx, next, 'main', { watermark: { at: null, id: '1' } });
    });
    await expect(
      db.transaction(committed, (tx) => resetCursor(tx, mapping, { ...to, round: 'none', watermark: null })),
    ).rejects.toMatchObject({ code: 'cursor_unknown', exit: 3 });
  });
});

describe('leases', () => {
  it('one holder at a time; released at once, expired by the server clock', async () => {
    const one = await take({ ttlMs: 60_000 });
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'two' })).toBeUndefined();
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'one' })).toBeUndefined();
    expect(await one.release()).toBe(true);
    expect(await one.release()).toBe(false);
    const two = await take({ holder: 'two', ttlMs: 50 });
    const three = await until('the lease expires', () =>
      acquireLease(db, { worker: 'tester', source, holder: 'three' }),
    );
    expect([one.fence, two.fence, three.fence]).toEqual([1n, 2n, 3n]);
    await expect(two.renew()).rejects.toMatchObject({ code: 'lease_lost', exit: 1 });
    expect(two.lost.aborted).toBe(true);
    expect(await two.release()).toBe(false);
    await three.renew();
  });

  it('renewing keeps it past its time, and stops cleanly', async () => {
    const lease = await take({ ttlMs: 300 });
    let renewals = 0;
    lease.startRenewing({
      everyMs: 50,
      onRenewed: async () => {
        renewals += 1;
      },
    });
    await until('ten renewals', async () => renewals >= 10);
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'two' })).toBeUndefined();
    await lease.stopRenewing();
    const counted = renewals;
    await until('it expires', () => acquireLease(db, { worker: 'tester', source, holder: 'two' }));
    expect(renewals).toBe(counted);
  });

  it('after a takeover the former holder commits nothing, in either isolation', async () => {
    const old = await take({ ttlMs: 20 });
    await move(old, { at: null, id: '1' });
    const next = await until('it expires', () =>
      acquireLease(db, { worker: 'tester', source, holder: 'two' }),
    );
    for (const isolation of ['read committed', 'repeatable read'] as const)
      await expect(
        old.work({ isolation }, (tx) => advance(tx, old, 'main', { watermark: { at: null, id: '2' } })),
      ).rejects.toMatchObject({ code: 'lease_lost' });
    // A caller who does not look at the error cannot commit either: the transaction is spoiled.
    await expect(
      db.transaction(committed, async (tx) => {
        await advance(tx, old, 'main', { watermark: { at: null, id: '2' } }).catch(() => undefined);
      }),
    ).rejects.toMatchObject({ code: 'transaction_lost' });
    expect(await watermark(next)).toEqual({ at: null, id: '1' });
  });

  it('a takeover between snapshot and end of a repeatable read transaction spoils it', async () => {
    const old = await take({ ttlMs: 20 });
    await expect(
      old.work({ isolation: 'repeatable read' }, async (tx) => {
        await readCursor(tx, old, 'main');
        await until('it expires', () => acquireLease(db, { worker: 'tester', source, holder: 'two' }));
        await advance(tx, old, 'main', { watermark: { at: null, id: '2' } });
      }),
      // Ended as a remnant by the takeover, or refused: never committed.
    ).rejects.toMatchObject({
      code: expect.stringMatching(/database_unreachable|serialization_failure|lease_lost/),
    });
    expect(await watermark(old)).toEqual({ at: null, id: null });
  });

  it('the tables are out of reach of the roles, and a forged fence is refused', async () => {
    const lease = await take();
    for (const text of [
      'update gov_worker_cursor set fence = 0',
      "update gov_worker_lease set holder = 'me'",
      'delete from gov_worker_cursor',
      "update event_pending set last_error = 'x'",
      "update queue_heartbeat set lease_owner = 'x'",
    ])
      await expect(asHost(feed.url, text), text).rejects.toMatchObject({ code: '42501' });
    const forged = new Lease(db, { worker: 'tester', source, holder: 'x' }, lease.fence + 1n);
    await expect(move(forged, { at: null, id: '1' })).rejects.toMatchObject({ code: 'lease_lost' });
  });
});

describe('retries and dead letters', () => {
  const fail = (lease: Lease, refs: readonly string[], at: string, why = 'no') =>
    lease.work(committed, async (tx) => {
      const failures = refs.map((ref) => ({ table: 'feed', ref, error: new Error(why), detail: { n: 1 } }));
      const recorded = await recordFailures(tx, lease, 'main', failures, at);
      await advance(tx, lease, 'main', {});
      return recorded;
    });
  const due = (lease: Lease, at: string) =>
    db.transaction(committed, async (tx) => (await dueRetries(tx, lease, at, 100)).map((each) => each.ref));

  it('back off, double up to the cap, and end as dead letters that are counted and kept', async () => {
    const lease = await take({ worker: 'retrier' });
    const first = await fail(lease, ['a', 'b', 'a'], AT);
    expect(first).toEqual([
      { table: 'feed', ref: 'a', failures: 1, nextAttemptAt: '2026-06-01 12:00:10+00' },
      { table: 'feed', ref: 'b', failures: 1, nextAttemptAt: '2026-06-01 12:00:10+00' },
    ]);
    expect(await due(lease, '2026-06-01 12:00:09+00')).toEqual([]);
    expect(await due(lease, '2026-06-01 12:00:10+00')).toEqual(['a', 'b']);
    const waits = [];
    for (let n = 0; n < 4; n += 1) waits.push((await fail(lease, ['a'], AT, `try ${n}`))[0]?.nextAttemptAt);
    expect(waits).toEqual([
      '2026-06-01 12:00:20+00',
      '2026-06-01 12:00:40+00',
      '2026-06-01 12:01:20+00',
      null,
    ]);
    expect(await due(lease, 'infinity')).toEqual(['b']);
    const [cursor] = await db.transaction(committed, (tx) => readCursors(tx, { worker: 'retrier', source }));
    expect(cursor?.deadLettered).toBe(1n);
    const page = await estate.gcos.deadLetters.list({ origin: 'retrier' });
    expect(page.letters).toMatchObject([
      { origin: 'retrier', ref: 'a', failures: 5, lastError: 'try 3', hint: 'gcos.retry.retrier' },
    ]);
    // Another failure of a dead letter is not another dead letter.
    await fail(lease, ['a'], AT);
    const rows = await asHost(
      estate.url,
      "select count(*)::int as n from event_pending where event_type_hint = 'gcos.retry.retrier'",
    );
    expect(rows).toEqual([{ n: 2 }]);

    const id = page.letters[0]?.id ?? '';
    expect(await estate.gcos.deadLetters.retry({ ids: [id], at: AT, dryRun: true })).toHaveLength(1);
    expect(await due(lease, AT)).toEqual([]);
    expect(await estate.gcos.deadLetters.retry({ ids: [id], at: AT })).toEqual([{ id, origin: 'retrier' }]);
    await expect(estate.gcos.deadLetters.retry({ ids: [id] })).rejects.toMatchObject({
      code: 'dead_letter_unknown',
    });
    expect(await due(lease, AT)).toEqual(['a']);
    await lease.work(committed, async (tx) => {
      const again = await dueRetries(tx, lease, AT, 10);
      expect(again[0]).toMatchObject({ detail: { n: 1 }, failures: 0 });
      await settleRetries(
        tx,
        lease,
        'main',
        again.map((each) => each.id),
        AT,
      );
      await advance(tx, lease, 'main', {});
    });
    expect(await due(lease, AT)).toEqual([]);
    expect(await estate.gcos.deadLetters.show(id)).toMatchObject({ state: 'settled' });
  });

  it('are set-based and fenced: a former holder records nothing', async () => {
    const lease = await take({ worker: 'bulk', ttlMs: 30 });
    const many = Array.from({ length: 2_000 }, (_, n) => `r${n}`);
    expect(await fail(lease, many, AT)).toHaveLength(2_000);
    await until('it expires', () => acquireLease(db, { worker: 'bulk', source, holder: 'two' }));
    await expect(fail(lease, ['late'], AT)).rejects.toMatchObject({ code: 'lease_lost' });
    const rows = await asHost(
      estate.url,
      "select count(*)::int as n, sum(error_count)::int as failures from event_pending where event_type_hint = 'gcos.retry.bulk'",
    );
    expect(rows).toEqual([{ n: 2_000, failures: 2_000 }]);
  });

  it('of signals are listed, shown and retried the same way, and the host’s own rows are not touched', async () => {
    await asHost(
      estate.url,
      `insert into event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref, capture_payload, error_count, last_error)
       values ('governance', 'coverage.owner_gap', 't', 'held', 'a', 'gcos', '{"order": 7}', 5, 'refused'),
              ('iu', 'iu.changed', 't', 'theirs', 'a', 'host', '{"next_attempt_at": "no time"}', 50, 'theirs');
       insert into governance_hold (order_no, event_type, subject_table, subject_ref, pending_id, held_at, dead_lettered_at)
       select 7, 'coverage.owner_gap', 't', 'held', id, now(), now() from event_pending where entity_ref = 'held'`,
    );
    const { letters } = await estate.gcos.deadLetters.list({ origin: 'event' });
    expect(letters).toMatchObject([{ ref: 'held', hint: 'coverage.owner_gap', lastError: 'refused' }]);
    const id = letters[0]?.id ?? '';
    const env = { DATABASE_URL: estate.url };
    const listed = await runCli(['deadletter', 'list', '--from', 'event', '--json'], { env });
    expect(JSON.parse(listed.stdout)).toMatchObject({ letters: [{ id, origin: 'event' }], next: null });
    const shown = await runCli(['deadletter', 'show', id], { env });
    expect(shown.stdout).toMatch(/state +dead/);
    expect((await runCli(['deadletter', 'retry'], { env })).exit).toBe(3);
    expect((await runCli(['deadletter', 'show', 'nothing'], { env })).exit).toBe(3);
    const retried = await runCli(['deadletter', 'retry', '--from', 'event', '--json'], { env });
    expect(JSON.parse(retried.stdout)).toMatchObject({ retried: [{ id }] });
    expect(
      await asHost(
        estate.url,
        "select entity_ref, error_count, capture_payload from event_pending where entity_ref in ('held', 'theirs') order by 1",
      ),
    ).toEqual([
      { entity_ref: 'held', error_count: 0, capture_payload: { order: 7 } },
      { entity_ref: 'theirs', error_count: 50, capture_payload: { next_attempt_at: 'no time' } },
    ]);
    // Back in the promoter's queue, not only off the list.
    expect(await asHost(estate.url, 'select dead_lettered_at from governance_hold')).toEqual([
      { dead_lettered_at: null },
    ]);
  });
});

describe('pause', () => {
  it('stops every work transaction through one row, and is shown', async () => {
    const lease = await take();
    const env = { DATABASE_URL: estate.url };
    const paused = await runCli(['pause', '--reason', 'moving house', '--json'], { env });
    expect(JSON.parse(paused.stdout)).toMatchObject({ paused: true, reason: 'moving house', by: 'postgres' });
    await expect(move(lease, { at: null, id: '1' })).rejects.toMatchObject({
      code: 'workers_paused',
      exit: 1,
      message: 'all workers are paused by `postgres`: moving house',
    });
    expect((await runCli(['status'], { env })).stdout).toContain('all workers are paused');
    expect((await runCli(['resume'], { env })).stdout).toContain('workers may run');
    await move(lease, { at: null, id: '1' });
    expect((await runCli(['status'], { env })).stdout).not.toContain('paused');
  });

  it('holds a running worker where it is, ticking, until resume', async () => {
    const stop = new AbortController();
    const errors: unknown[] = [];
    let rounds = 0;
    const running = runUnderLease({
      db,
      worker: 'pauser',
      source,
      hostVocabulary: () => estate.gcos.installation.hostVocabulary(),
      signal: stop.signal,
      restMs: 10,
      onError: (error) => errors.push(error),
      ttlMs: 5_000,
      async work(lease) {
        rounds += 1;
        await lease.work(committed, (tx) => advance(tx, lease, 'main', {}));
        return { more: false, progress: { value: String(rounds) }, lagSeconds: 0 };
      },
    });
    const state = async () =>
      (await db.transaction(committed, (tx) => readHeartbeats(tx, AT))).find(
        (each) => each.worker === 'pauser',
      )?.state;
    await until('it runs', async () => (await state()) === 'running');
    await estate.gcos.workers.pause();
    await until('it is paused', async () => (await state()) === 'paused');
    await estate.gcos.workers.resume();
    await until('it runs again', async () => (await state()) === 'running');
    stop.abort();
    await running;
    expect(await state()).toBe('stopped');
    expect(errors).toEqual([]);
    expect(await acquireLease(db, { worker: 'pauser', source, holder: 'next' })).toBeDefined();
  });
});

describe('heartbeats', () => {
  it('touch GCOS’s own rows only', async () => {
    const before = await asHost(
      estate.url,
      "select * from queue_heartbeat where executor_kind <> 'gcos' order by 1",
    );
    await db.transaction(committed, (tx) => tick(tx, { worker: 'x', status: 'ok', at: AT }));
    await asHost(
      estate.url,
      "insert into queue_heartbeat (executor_name, executor_kind) values ('gcos_theirs', 'host')",
    );
    await expect(
      db.transaction(committed, (tx) => tick(tx, { worker: 'theirs', status: 'ok' })),
    ).rejects.toMatchObject({ code: 'database_error' });
    await asHost(estate.url, "delete from queue_heartbeat where executor_name = 'gcos_theirs'");
    expect(
      await asHost(estate.url, "select * from queue_heartbeat where executor_kind <> 'gcos' order by 1"),
    ).toEqual(before);
  });

  it('of many at once for the first time make one row', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        db.transaction(committed, (tx) =>
          tick(tx, { worker: 'crowd', status: 'ok', progress: { value: String(n) } }),
        ),
      ),
    );
    expect(
      await asHost(
        estate.url,
        "select ticks_total::int as n from queue_heartbeat where executor_name = 'gcos_crowd'",
      ),
    ).toEqual([{ n: 8 }]);
  });
});

describe('uninstall --purge', () => {
  it('removes retries and heartbeats of GCOS, and nothing else', async () => {
    const lease = await take();
    await reportFault(
      { db, hostVocabulary: () => estate.gcos.installation.hostVocabulary() },
      lease,
      new Error('not a fault of this room'),
    );
    const rows = () =>
      asHost(
        estate.url,
        "select (select count(*)::int from event_pending where event_domain <> 'governance') as pending, (select count(*)::int from queue_heartbeat where executor_kind <> 'gcos') as beats",
      );
    const before = await rows();
    await db.close();
    await estate.gcos.uninstall({ purge: true });
    expect(await rows()).toEqual(before);
    expect(
      await asHost(
        estate.url,
        "select (select count(*)::int from event_pending where event_type_hint like 'gcos.retry.%') as pending, (select count(*)::int from queue_heartbeat where executor_kind = 'gcos') as beats",
      ),
    ).toEqual([{ pending: 0, beats: 0 }]);
  });
});
