// Retries: a failed item waits longer after each failure, is completed by the holder of its lease, and is
// recorded whatever its error and detail contain.
import { describe, expect, it } from 'vitest';
import {
  acquireLease,
  advance,
  completeRetries,
  dueRetries,
  Lease,
  readCursors,
  readHeartbeats,
  tick,
} from '../../src/record/cursor/index.js';
import { asHost } from '../support/database.js';
import {
  AT,
  committed,
  cursorOf,
  db,
  estate,
  fail,
  item,
  source,
  take,
  useWorkerLogin,
  workerUrl,
} from '../support/leased.js';
import { until } from '../support/wait.js';

useWorkerLogin();

const failed = (refs: readonly string[], why = 'no') =>
  refs.map((ref) => ({ table: 'feed', ref, error: new Error(why), detail: { n: 1 } }));
const due = (lease: Lease, at: string) =>
  db.transaction(committed, async (tx) => (await dueRetries(tx, lease, at, 100)).map((each) => each.ref));
const setRetry = (value: object) =>
  asHost(
    estate.url,
    `update governance_setting set setting_value = '${JSON.stringify(value)}' where setting_key = 'worker.retry'`,
  );

describe('retries', () => {
  it('back off, double the wait up to the cap, and end as dead letters that are counted and kept', async () => {
    const lease = await take({ worker: 'retrier' });
    const first = await fail(lease, failed(['a', 'b', 'a']));
    expect(first).toEqual([
      { table: 'feed', ref: 'a', failures: 1, nextAttemptAt: '2026-06-01 12:00:10+00' },
      { table: 'feed', ref: 'b', failures: 1, nextAttemptAt: '2026-06-01 12:00:10+00' },
    ]);
    expect(await due(lease, '2026-06-01 12:00:09+00')).toEqual([]);
    expect(await due(lease, '2026-06-01 12:00:10+00')).toEqual(['a', 'b']);
    const waits = [];
    for (let n = 0; n < 4; n += 1)
      waits.push((await fail(lease, failed(['a'], `try ${n}`)))[0]?.nextAttemptAt);
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
    // Another failure of a dead letter adds no row.
    await fail(lease, failed(['a']));
    const rows = await asHost(
      estate.url,
      "select count(*)::int as n from gov_worker_retry where worker = 'retrier'",
    );
    expect(rows).toEqual([{ n: 2 }]);

    const id = page.letters[0]?.id ?? '';
    expect(await estate.gcos.deadLetters.retry({ ids: [id], dryRun: true })).toHaveLength(1);
    expect(await due(lease, AT)).toEqual([]);
    expect(await estate.gcos.deadLetters.retry({ ids: [id] })).toEqual([{ id, origin: 'retrier' }]);
    await expect(estate.gcos.deadLetters.retry({ ids: [id] })).rejects.toMatchObject({
      code: 'dead_letter_unknown',
    });
    expect(await due(lease, AT)).toEqual(['a']);
    await lease.work(committed, async (tx) => {
      const again = await dueRetries(tx, lease, AT, 10);
      expect(again[0]).toMatchObject({ detail: { n: 1 }, failures: 0 });
      await completeRetries(
        tx,
        lease,
        'main',
        again.map((each) => each.id),
      );
      await advance(tx, lease, 'main', {});
    });
    expect(await due(lease, AT)).toEqual([]);
    expect(await estate.gcos.deadLetters.show(id)).toMatchObject({ state: 'completed' });
  });

  it('are recorded in one statement under the fence: a former holder records nothing', async () => {
    const lease = await take({ worker: 'bulk', ttlMs: 30 });
    const many = Array.from({ length: 2_000 }, (_, n) => `r${n}`);
    expect(await fail(lease, failed(many))).toHaveLength(2_000);
    await until('the lease expires', () => acquireLease(db, { worker: 'bulk', source, holder: 'two' }));
    await expect(fail(lease, failed(['late']))).rejects.toMatchObject({ code: 'lease_lost' });
    const rows = await asHost(
      estate.url,
      "select count(*)::int as n, sum(failures)::int as failures from gov_worker_retry where worker = 'bulk'",
    );
    expect(rows).toEqual([{ n: 2_000, failures: 2_000 }]);
  });

  it('are completed only by the holder of their source, under its fence', async () => {
    const lease = await take({ worker: 'guarded' });
    const other = await take({ worker: 'guarded', source: `${source}_other` });
    await fail(lease, [item('a')]);
    const complete = (by: Lease) =>
      by.work(committed, async (tx) => {
        const due = await dueRetries(tx, { worker: 'guarded' }, '2026-06-02 00:00:00+00', 10);
        const ids = due.map((each) => each.id);
        expect(ids).toHaveLength(1);
        const completed = await completeRetries(tx, by, 'main', ids);
        await advance(tx, by, 'main', {});
        return completed;
      });
    const forged = new Lease(db, { worker: 'guarded', source, holder: 'x' }, lease.fence + 1n);
    // Without the final advance, which would refuse it as well.
    await expect(
      db.transaction(committed, (tx) => completeRetries(tx, forged, 'main', ['x'])),
    ).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await complete(other)).toBe(0n);
    expect(await complete(lease)).toBe(1n);
  });
});

describe('values that the database cannot store', () => {
  it('are replaced in errors, details and keys, and do not fail the round', async () => {
    const lease = await take({ worker: 'dirty' });
    const detail = {
      'a\0b': 'x\0y',
      'half\ud800': ['\udfff', { deep: '\0' }],
      big: 12345678901234567890n,
      whole: '😀',
    };
    await fail(lease, [
      { table: 'feed', ref: 'a', error: new Error('bad\0byte \ud800'), detail },
      { table: 'feed', ref: 'b', error: `${'x'.repeat(499)}😀` },
    ]);
    const [a, b] = await db.transaction(committed, (tx) => dueRetries(tx, lease, 'infinity', 10));
    expect(a?.lastError).toBe('bad\ufffdbyte \ufffd');
    expect(a?.detail).toEqual({
      'a\ufffdb': 'x\ufffdy',
      'half\ufffd': ['\ufffd', { deep: '\ufffd' }],
      big: '12345678901234567890',
      whole: '😀',
    });
    expect(b?.lastError).toBe(`${'x'.repeat(499)}\ufffd…`);
    await lease.work(committed, (tx) =>
      advance(tx, lease, 'main', { summary: { 'k\0': '\ud800' }, metadata: { m: '\0' } }),
    );
    expect(await cursorOf(lease)).toMatchObject({
      lastRunSummary: { 'k\ufffd': '\ufffd' },
      metadata: { m: '\ufffd' },
    });
    await db.transaction(committed, (tx) => tick(tx, { worker: 'dirty', status: 'error', error: 'bad\0' }));
    const beats = await db.transaction(committed, (tx) => readHeartbeats(tx, AT));
    expect(beats.find((each) => each.worker === 'dirty')?.lastTickStatus).toBe('error');
  });

  it('include waits that are too long: the setting refuses them, and the database limits them', async () => {
    const lease = await take({ worker: 'patient' });
    await setRetry({ attempts: 1000, base_seconds: 1e9, cap_seconds: 1e12 });
    await expect(fail(lease, [item('a')])).rejects.toMatchObject({ code: 'setting_invalid', exit: 3 });
    await setRetry({ attempts: 1000, base_seconds: 86_400, cap_seconds: 2_592_000 });
    await fail(lease, [item('a')]);
    await asHost(estate.url, `update gov_worker_retry set failures = 900 where worker = 'patient'`);
    expect(await fail(lease, [item('a')])).toMatchObject([{ nextAttemptAt: '2026-07-01 12:00:00+00' }]);
    await setRetry({ attempts: 1000, base_seconds: 1e300, cap_seconds: 1e305 });
    const rows = await asHost(
      workerUrl,
      `select next_attempt::text as at from gcos_record_failures('patient', '${source}', 'main', ${lease.fence}, '{t}', '{r}', '{a}', '{e}', '{"{}"}')`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['at']).toMatch(/^2026-07-01/);
  });
});
