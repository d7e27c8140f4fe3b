// How a backfill reacts to sessions that wait for locks, to a pause of the workers, to Ctrl-C and to another
// backfill.
import { describe, expect, it } from 'vitest';
import type { BackfillProgress, Gcos } from '../../src/index.js';
import { Pace } from '../../src/work/backfill/index.js';
import { startCli } from '../support/cli.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople } from '../support/people.js';
import { until } from '../support/wait.js';

async function withEstate(work: (estate: Estate) => Promise<void>): Promise<void> {
  const estate = await createEstate('ruled');
  try {
    await work(estate);
  } finally {
    await estate.close();
  }
}

const setPace = (estate: Estate, rows: number) =>
  asHost(
    estate.url,
    `update governance_setting set setting_value = '{"first_batch": ${rows}, "largest_batch": ${rows}, "target_ms": 400}' where setting_key = 'backfill.pace'`,
  );
const leases = (estate: Estate) =>
  asHost(estate.url, `select worker from gov_worker_lease where not released order by worker`);
const swept = async (gcos: Gcos) => (await gcos.backfills.status()).swept;

describe('the pace of a backfill', () => {
  const setting = { first_batch: 5_000, largest_batch: 200_000, target_ms: 400 };

  it('grows while batches are fast and shrinks when they are slow, down to one row', () => {
    const pace = new Pace(setting);
    pace.took(5_000, 10);
    expect(pace.size).toBe(10_000);
    for (let n = 0; n < 10; n += 1) pace.took(pace.size, 10);
    expect(pace.size).toBe(200_000);
    pace.took(pace.size, 900);
    expect(pace.size).toBe(100_000);
    for (let n = 0; n < 20; n += 1) pace.tooLarge();
    expect(pace.size).toBe(1);
  });

  it('keeps the rate limit at all times: it does not catch up after a pause', () => {
    let now = 0;
    const pace = new Pace({ ...setting, rate: 1_000, now: () => now });
    let inLastSecond: readonly { at: number; rows: number }[] = [];
    for (let n = 0; n < 50; n += 1) {
      if (n === 20) now += 60_000;
      now += pace.waitMs;
      const rows = pace.size;
      expect(rows).toBeLessThanOrEqual(1_000);
      inLastSecond = [...inLastSecond.filter(({ at }) => at > now - 1_000), { at: now, rows }];
      expect(inLastSecond.reduce((sum, each) => sum + each.rows, 0)).toBeLessThanOrEqual(2_000);
      now += 10;
      pace.took(rows, 10);
    }
    // 50 batches of one second each, and a pause of one minute.
    expect(now).toBeGreaterThan(49_000 + 59_000);
  });

  it('keeps the requested rate over a whole run, also with parallel parts', () =>
    withEstate(async (estate) => {
      const started = performance.now();
      const report = await estate.gcos.backfills.run({ rate: 8_000, parts: 2 });
      // 20,000 births: the first 8,000 at once, the rest at 8,000 a second.
      expect(performance.now() - started).toBeGreaterThan(1_400);
      expect(report).toMatchObject({ scanned: 20_000n, proof: { closed: true }, ledger: { closes: true } });
      expect(report.batches).toBeGreaterThanOrEqual(4);
    }));
});

describe('a backfill', () => {
  it('pauses while sessions wait for locks, reports it, and continues afterwards', () =>
    withEstate(async (estate) => {
      await asHost(
        estate.url,
        `create table busy (id int primary key); insert into busy values (1);
         update governance_setting set setting_value = '{"lock_waits": 1, "replication_lag_seconds": 30, "pause_ms": 20}' where setting_key = 'backfill.guard'`,
      );
      const others = openDatabase(estate.url);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const lock = (tx: { script(sql: string): Promise<unknown> }) =>
        tx.script('update busy set id = id where id = 1');
      const patience = { isolation: 'read committed', lockTimeoutMs: 60_000, idleTimeoutMs: 60_000 } as const;
      const holder = others.transaction(patience, async (tx) => {
        await lock(tx);
        await held;
      });
      await until(
        'the lock is held',
        async () =>
          (
            await asHost(
              estate.url,
              `select 1 from pg_locks where mode = 'RowExclusiveLock' and relation = 'busy'::regclass and database = (select oid from pg_database where datname = current_database())`,
            )
          ).length > 0,
      );
      const waiters = [1, 2].map(() => others.transaction(patience, lock));
      await until('two sessions have waited for a second', async () => {
        const [row] = await asHost(
          estate.url,
          `select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
           where a.datname = current_database() and not l.granted and l.waitstart < clock_timestamp() - interval '1 second'`,
        );
        return row?.['n'] === 2;
      });
      const progress: BackfillProgress[] = [];
      const running = estate.gcos.backfills.run({ onProgress: (each) => progress.push(each) });
      await until(
        'the backfill pauses',
        async () => progress.filter(({ step }) => step === 'pause').length > 3,
      );
      expect(progress.at(-1)?.note).toMatch(/\d+ sessions wait for locks/);
      expect(await swept(estate.gcos)).toBe(0n);
      release();
      await Promise.all([holder, ...waiters]);
      expect(await running).toMatchObject({ scanned: 20_000n, proof: { closed: true } });
      await others.close();
    }));

  it('ends when the workers are paused, releases its leases, and resumes where it ended', () =>
    withEstate(async (estate) => {
      await setPace(estate, 200);
      let pausing: Promise<unknown> | undefined;
      const running = estate.gcos.backfills.run({
        onProgress: ({ step, done }) => {
          if (step === 'sweep' && done >= 1_000) pausing ??= estate.gcos.workers.pause('schema change');
        },
      });
      await expect(running).rejects.toMatchObject({ code: 'workers_paused' });
      await pausing;
      expect(await leases(estate)).toEqual([]);
      const before = await swept(estate.gcos);
      expect(before).toBeGreaterThanOrEqual(1_000n);
      await expect(estate.gcos.backfills.run({})).rejects.toMatchObject({ code: 'workers_paused' });
      await estate.gcos.workers.resume(null);
      const report = await estate.gcos.backfills.run({});
      expect(report).toMatchObject({ resumed: true, scanned: 20_000n - before, proof: { closed: true } });
    }));

  it.each([
    ['run', ['backfill', 'run']],
    ['up', ['up']],
  ])('releases its leases on Ctrl-C, as `%s`', (_, args) =>
    withEstate(async (estate) => {
      await setPace(estate, 20);
      const { child, done } = startCli([...args, '--database-url', estate.url]);
      await until('the sweep has started', async () => (await swept(estate.gcos)) > 200n);
      child.kill('SIGINT');
      expect((await done).exit).toBe(130);
      expect(await leases(estate)).toEqual([]);
      expect((await estate.gcos.backfills.status()).run).toMatchObject({
        status: 'failed',
        error: 'interrupted',
      });
      await setPace(estate, 5_000);
      expect(await estate.gcos.backfills.run({})).toMatchObject({ resumed: true, proof: { closed: true } });
    }),
  );

  it('does not run twice at once: a second run waits, reports it, and is refused', () =>
    withEstate(async (estate) => {
      await setPace(estate, 100);
      const stop = new AbortController();
      const first = estate.gcos.backfills.run({ leaseTtlMs: 3_000, rate: 300, signal: stop.signal });
      first.catch(() => undefined);
      await until('the sweep has started', async () => (await swept(estate.gcos)) > 0n);
      const notes: string[] = [];
      const second = estate.gcos.backfills.run({
        leaseTtlMs: 3_000,
        onProgress: ({ note }) => notes.push(note ?? ''),
      });
      await expect(second).rejects.toMatchObject({ code: 'closing_run_busy' });
      expect(notes).toContain('waiting for the lease of closing_run');
      stop.abort(new Error('enough'));
      await expect(first).rejects.toMatchObject({ code: 'operation_cancelled' });
      expect(await estate.gcos.backfills.run({})).toMatchObject({ resumed: true, proof: { closed: true } });
    }));

  it('adds up nothing after another worker has taken the lease of the intake', () =>
    withEstate(async (estate) => {
      await setPace(estate, 500);
      let taking: Promise<unknown> | undefined;
      const running = estate.gcos.backfills.run({
        // Slow enough for the other worker to take the lease during the sweep.
        rate: 3_000,
        onProgress: ({ step }) => {
          if (step === 'sweep')
            taking ??= asHost(
              estate.url,
              `update gov_worker_lease set expires_at = now() where worker = 'intake';
               select new_fence from gcos_take_lease('intake', 'birth_registry', 'another worker', '1 second', array['near', 'wide'], array['integer', 'integer'])`,
            );
        },
      });
      await expect(running).rejects.toMatchObject({ code: 'lease_lost' });
      await taking;
      expect(await estate.gcos.backfills.status()).toMatchObject({
        phase: 'seeding',
        run: { status: 'failed' },
      });
      const [total] = await asHost(
        estate.url,
        'select sum(member_count)::int as members from governance_inventory',
      );
      expect(total).toEqual({ members: 0 });
      expect(await estate.gcos.backfills.run({ leaseTtlMs: 2_000 })).toMatchObject({
        resumed: true,
        proof: { closed: true },
      });
    }));

  it('keeps its own lease while it waits for the lease of the intake', () =>
    withEstate(async (estate) => {
      await asHost(
        estate.url,
        `select new_fence from gcos_take_lease('intake', 'birth_registry', 'another worker', '5 minutes', array['near', 'wide'], array['integer', 'integer'])`,
      );
      const live = async () =>
        (
          await asHost(
            estate.url,
            `select 1 from gov_worker_lease where worker = 'closing_run' and not released`,
          )
        ).length > 0;
      const [before] = await asHost(estate.url, 'select now()::text as at');
      const waiting = estate.gcos.backfills.run({ leaseTtlMs: 2_000 });
      waiting.catch(() => undefined);
      await until('the lease has been renewed past its first expiry', async () => {
        const rows = await asHost(
          estate.url,
          `select 1 from gov_worker_lease where worker = 'closing_run' and not released and expires_at > '${before?.['at']}'::timestamptz + interval '3 seconds'`,
        );
        return rows.length > 0;
      });
      await expect(waiting).rejects.toMatchObject({ code: 'closing_run_busy' });
      expect(await live()).toBe(false);
    }));

  it('runs and verifies with a login that has only the worker role, with two connections', () =>
    withEstate(async (estate) => {
      const people = createPeople(estate.url);
      try {
        const { gcos } = await people.login('worker', 'gcos_worker');
        const report = await gcos.backfills.run({ parts: 3 });
        expect(report).toMatchObject({ scanned: 20_000n, proof: { closed: true }, ledger: { closes: true } });
        expect((await gcos.backfills.verify()).proof).toMatchObject({ closed: true, verified: true });
        for (const role of ['gcos_api', 'gcos_server', 'gcos_reader', 'gcos_pruner']) {
          const other = await people.login(role, role);
          await expect(other.gcos.backfills.run({})).rejects.toMatchObject({ code: 'privilege_missing' });
          expect(await other.gcos.backfills.status()).toMatchObject({ phase: 'tailing' });
        }
      } finally {
        await people.close();
      }
    }));

  it('proves nothing if the comparison takes longer than a snapshot may be held', () =>
    withEstate(async (estate) => {
      const report = await estate.gcos.backfills.run({ holdMs: -1 });
      expect(report).toMatchObject({
        phase: 'reconciling',
        closingSnapshotId: null,
        ledger: null,
        proof: { closed: false, verified: false, provedGroups: 0 },
      });
      expect(
        await asHost(
          estate.url,
          `select issue_type, evidence_snapshot::jsonb #>> '{facts,verified}' as verified from system_issues where issue_type = 'backfill_incomplete' and status = 'open'`,
        ),
      ).toEqual([{ issue_type: 'backfill_incomplete', verified: 'false' }]);
      const status = await startCli(['backfill', 'status', '--database-url', estate.url]).done;
      expect(status.stdout).toContain('nothing was verified');
      const again = await estate.gcos.backfills.run({});
      expect(again).toMatchObject({ phase: 'tailing', resumed: true, proof: { closed: true } });
      expect(
        await asHost(
          estate.url,
          `select 1 from system_issues where issue_type = 'backfill_incomplete' and status = 'open'`,
        ),
      ).toEqual([]);
    }));
});
