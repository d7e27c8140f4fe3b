// The watcher reports workers that are silent, stalled or behind. Tests set the clock, so none waits.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  acquireLease,
  advance,
  type Lease,
  recordFailures,
  runUnderLease,
  type Tick,
  tick,
  watchWorkers,
} from '../../src/record/cursor/index.js';
import { setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { mapTester } from '../support/events.js';
import { evidence } from '../support/evidence.js';
import { until } from '../support/wait.js';

const committed = { isolation: 'read committed' } as const;
/** A time of day on the date of these tests. */
const at = (time: string) => `2026-06-01 ${time}+00`;

let estate: Estate;
let errors: unknown[];
const recordError = (error: unknown) => errors.push(error);
beforeEach(async () => {
  errors = [];
  estate = await createEstate('installed');
  await mapTester(estate.url);
});
afterEach(() => estate?.close());

/** Ticks at the time `at`, where the clock stops. */
async function beat({ at, ...each }: Omit<Tick, 'status'> & { at: string; status?: Tick['status'] }) {
  await setClock(estate.url, { at });
  await estate.db.transaction(committed, (tx) => tick(tx, { status: 'ok', ...each }));
}

async function watch(time: string) {
  const runId = randomUUID();
  const seen = await estate.db.transaction(committed, (tx) => watchWorkers(tx, { at: time, runId }));
  return {
    raised: [...seen.raised, ...seen.reopened].map((each) => `${each.type} ${each.subject}`).sort(),
    resolved: seen.resolved.map((each) => `${each.type} ${each.subject}`).sort(),
    repeated: seen.repeated,
  };
}
const NOTHING = { raised: [], resolved: [], repeated: 0 };

async function evidenceOf(type: string): Promise<unknown> {
  const [row] = await asHost(
    estate.url,
    `select evidence_snapshot::text as evidence from system_issues where source_system = 'gcos' and issue_type = '${type}' order by id desc limit 1`,
  );
  return row?.['evidence'];
}

describe('seed 41 §41.11 test 6, Silent-gap', () => {
  it('reports a worker whose every round fails, although it ticks; a successful round ends that', async () => {
    await beat({ worker: 'scan', succeeded: true, at: at('10:00:00') });
    for (const time of ['10:00:30', '10:01:30', '10:02:20'])
      await beat({ worker: 'scan', status: 'error', error: 'no such column', at: at(time) });
    // A renewal of the lease is no success.
    await beat({ worker: 'scan', at: at('10:02:25') });
    expect(await watch(at('10:02:29'))).toEqual(NOTHING);
    expect((await watch(at('10:02:31'))).raised).toEqual(['cursor_silent_gap scan']);
    expect(await evidenceOf('cursor_silent_gap')).toContain('"reason": "every_round_fails"');
    await beat({ worker: 'scan', succeeded: true, at: at('10:02:35') });
    expect((await watch(at('10:02:40'))).resolved).toEqual(['cursor_silent_gap scan']);
  });

  it('reports a worker that ticked before the clock was set back, and not since', async () => {
    await beat({ worker: 'scan', succeeded: true, at: at('12:00:00') });
    expect((await watch(at('10:00:00'))).raised).toEqual(['cursor_silent_gap scan']);
    await beat({ worker: 'scan', succeeded: true, at: at('10:00:10') });
    expect((await watch(at('10:00:20'))).resolved).toEqual(['cursor_silent_gap scan']);
  });

  it('reports a stopped worker within the threshold, and resolves the finding when it ticks again', async () => {
    const stop = new AbortController();
    let rounds = 0;
    const run = (signal: AbortSignal) =>
      runUnderLease({
        db: estate.db,
        worker: 'gapped',
        source: 'feed',
        signal,
        restMs: 5,
        ttlMs: 1_000,
        onError: recordError,
        async work(lease) {
          rounds += 1;
          // Stops as a killed worker does: it neither releases its lease nor reports its end.
          if (rounds === 3) return new Promise<never>(() => lease.stopRenewing());
          await lease.work(committed, (tx) => advance(tx, lease, 'main', {}));
          return { more: true, progress: { value: String(rounds) }, lagSeconds: 1 };
        },
      });
    void run(stop.signal);
    await until('the worker is in its third round', async () => rounds === 3);
    const later = async (seconds: number) => {
      const [row] = await asHost(
        estate.url,
        `select (last_tick_at + interval '${seconds} s')::text as at from queue_heartbeat where executor_name = 'gcos_gapped:feed'`,
      );
      return row?.['at'] as string;
    };
    expect(await watch(await later(119))).toEqual(NOTHING);
    expect(await watch(await later(121))).toEqual({
      ...NOTHING,
      raised: ['cursor_silent_gap gapped/feed'],
    });
    expect(await evidenceOf('cursor_silent_gap')).toMatch(/stopped_ticking/);
    evidence('cursor_silent_gap 121 s after the last tick, not at 119 s');
    expect(await watch(await later(200))).toEqual({ ...NOTHING, repeated: 1 });

    const next = new AbortController();
    const second = run(next.signal);
    await until('another worker took over', async () => rounds > 5);
    expect(await watch(await later(1))).toEqual({ ...NOTHING, resolved: ['cursor_silent_gap gapped/feed'] });
    next.abort();
    await second;
    // The worker reported its end: its silence is intended.
    expect(await watch(await later(100_000))).toEqual(NOTHING);
  });

  it('reports a worker that ticks without progress while work is waiting', async () => {
    const worker = 'ticker';
    await beat({ worker, progress: { value: '7' }, lagSeconds: 30, at: at('10:00') });
    // It keeps ticking at the same position.
    for (const time of ['10:05', '10:10', '10:14:59'])
      await beat({ worker, progress: { value: '7' }, lagSeconds: 200, at: at(time) });
    expect(await watch(at('10:15'))).toEqual(NOTHING);
    await beat({ worker, progress: { value: '7' }, at: at('10:15:01') });
    expect(await watch(at('10:15:01'))).toEqual({ ...NOTHING, raised: ['cursor_silent_gap ticker'] });
    expect(await evidenceOf('cursor_silent_gap')).toMatch(/no_progress/);
    await beat({ worker, progress: { value: '8' }, lagSeconds: 10, at: at('10:16') });
    expect(await watch(at('10:16'))).toEqual({ ...NOTHING, resolved: ['cursor_silent_gap ticker'] });
  });

  it('does not report a worker that rests, is paused or has new work after a long rest', async () => {
    const worker = 'rester';
    await beat({ worker, progress: { value: '7' }, lagSeconds: 0, at: at('10:00') });
    await beat({ worker, lagSeconds: 0, at: at('12:00') });
    expect(await watch(at('12:01'))).toEqual(NOTHING);
    await beat({ worker, lagSeconds: 5, at: at('12:01') });
    expect(await watch(at('12:01'))).toEqual(NOTHING);
    await beat({ worker, state: 'paused', at: at('14:00') });
    expect(await watch(at('14:01'))).toEqual(NOTHING);
    await beat({ worker, state: 'running', lagSeconds: 20, at: at('14:01') });
    expect(await watch(at('14:02'))).toEqual(NOTHING);
    await beat({ worker, lagSeconds: 20, at: at('14:17') });
    expect((await watch(at('14:17'))).raised).toEqual(['cursor_silent_gap rester']);
  });

  it('reports the intake worker under its own finding types', async () => {
    await beat({ worker: 'intake', source: 'birth_registry', lagSeconds: 301, at: at('09:00') });
    const both = ['handoff_lag intake/birth_registry', 'handoff_silent_gap intake/birth_registry'];
    expect((await watch(at('09:00'))).raised).toEqual(['handoff_lag intake/birth_registry']);
    expect((await watch(at('09:03'))).raised).toEqual(['handoff_silent_gap intake/birth_registry']);
    await beat({ worker: 'intake', source: 'birth_registry', lagSeconds: 3, at: at('09:04') });
    expect((await watch(at('09:04'))).resolved).toEqual(both);
  });

  it('reports a worker that is behind once, resolves the finding, and reopens it', async () => {
    const behind = (lagSeconds: number, time: string) =>
      beat({ worker: 'slow', source: 'feed', progress: { value: time }, lagSeconds, at: at(time) });
    const lag = ['cursor_lag slow/feed'];
    await behind(301, '09:00');
    expect(await watch(at('09:00'))).toEqual({ ...NOTHING, raised: lag });
    expect(await watch(at('09:00:30'))).toEqual({ ...NOTHING, repeated: 1 });
    await behind(3, '09:01');
    expect(await watch(at('09:01'))).toEqual({ ...NOTHING, resolved: lag });
    await behind(301, '09:02');
    expect(await watch(at('09:02'))).toEqual({ ...NOTHING, raised: lag });
    const [row] = await asHost(
      estate.url,
      "select status, reopen_count::int as reopens from system_issues where source_system = 'gcos' and issue_type = 'cursor_lag'",
    );
    expect(row).toEqual({ status: 'open', reopens: 1 });
    await behind(3, '09:03');
    expect(await watch(at('09:03'))).toEqual({ ...NOTHING, resolved: lag });
  });

  it('takes its thresholds from the settings', async () => {
    await beat({ worker: 'quick', at: at('09:00') });
    expect(await watch(at('09:01'))).toEqual(NOTHING);
    const set = (value: number) =>
      asHost(
        estate.url,
        `update governance_setting set setting_value = jsonb_set(setting_value, '{silence_seconds}', '${value}') where setting_key = 'worker.watch'`,
      );
    await set(30);
    expect((await watch(at('09:01'))).raised).toEqual(['cursor_silent_gap quick']);
  });
});

describe('dead letters', () => {
  async function bury(worker: string, refs: number): Promise<void> {
    const lease = (await acquireLease(estate.db, {
      worker,
      source: 'feed',
      holder: worker,
      ttlMs: 1,
    })) as Lease;
    for (let n = 0; n < 5; n += 1)
      await lease.work(committed, async (tx) => {
        const items = Array.from({ length: refs }, (_, each) => ({
          table: 'feed',
          ref: `${each}`,
          error: 'no',
        }));
        await recordFailures(tx, lease, 'main', items);
        await advance(tx, lease, 'main', {});
      });
  }

  it('raise the finding of their worker until they are retried', async () => {
    await asHost(
      estate.url,
      `update governance_setting set setting_value = setting_value || '{"dead_letter_overflow": 3}' where setting_key = 'worker.watch'`,
    );
    await bury('scan', 1);
    await bury('intake', 1);
    await bury('closing_run', 3);
    expect((await watch(at('10:00'))).raised).toEqual([
      'backfill_batch_failed closing_run',
      'cursor_dlq scan',
      'handoff_dlq intake',
    ]);
    await estate.gcos.deadLetters.retry({ origin: 'closing_run' });
    await bury('closing_run', 4);
    expect(await watch(at('10:01'))).toEqual({
      raised: ['backfill_dlq_overflow closing_run'],
      resolved: ['backfill_batch_failed closing_run'],
      repeated: 2,
    });
    // Far beyond the limit it becomes critical, and is announced once more.
    const severity = async () =>
      (
        await asHost(
          estate.url,
          `select finding_type || ' ' || severity as is, routes from governance_finding_key where finding_type = 'backfill_dlq_overflow'`,
        )
      )[0];
    expect(await severity()).toEqual({
      is: 'backfill_dlq_overflow high',
      routes: ['GOV-SIV', 'GOV-COUNCIL'],
    });
    await bury('closing_run', 10);
    expect((await watch(at('10:01'))).raised).toEqual(['backfill_dlq_overflow closing_run']);
    expect((await severity())?.['is']).toBe('backfill_dlq_overflow critical');
    await estate.gcos.deadLetters.retry({});
    expect((await watch(at('10:02'))).resolved).toEqual([
      'backfill_dlq_overflow closing_run',
      'cursor_dlq scan',
      'handoff_dlq intake',
    ]);
  });
});

describe('faults that a worker detects itself', () => {
  it('refuses a watermark that moves back, reports it, and resolves the finding after the next advance', async () => {
    const stop = new AbortController();
    const steps = ['9', '10', '9', '11'];
    let step = 0;
    let held = true;
    const running = runUnderLease({
      db: estate.db,
      worker: 'crab',
      source: 'feed',
      signal: stop.signal,
      restMs: 5,
      backoffMs: 5,
      onError: recordError,
      async work(lease) {
        if (step === 3 && held) return { more: false };
        const id = steps[step];
        if (id === undefined) return { more: false };
        step += 1;
        await lease.work(committed, (tx) => advance(tx, lease, 'main', { watermark: id }));
        return { more: true };
      },
    });
    const open = async () =>
      (
        await asHost(
          estate.url,
          "select count(*)::int as n from system_issues where source_system = 'gcos' and issue_type = 'cursor_watermark_regression' and status <> 'resolved'",
        )
      )[0]?.['n'];
    await until('the finding', async () => (await open()) === 1);
    expect(errors).toMatchObject([{ code: 'cursor_watermark_regression' }]);
    expect((await watch(at('10:00'))).resolved).toEqual([]);
    held = false;
    await until('the worker advanced', async () => step === 4);
    await until('the finding is resolved', async () => {
      await watch(at('10:01'));
      return (await open()) === 0;
    });
    stop.abort();
    await running;
  });

  it('reports a takeover as a lease conflict, and resolves it once the new holder is undisturbed', async () => {
    const stop = new AbortController();
    let rounds = 0;
    const options = {
      db: estate.db,
      worker: 'rival',
      source: 'feed',
      signal: stop.signal,
      restMs: 5,
      ttlMs: 50,
      onError: recordError,
    };
    const slow = runUnderLease({
      ...options,
      renewEveryMs: 60_000,
      async work(lease) {
        rounds += 1;
        // It works longer than its lease lasts and does not renew it: another holder takes over.
        if (rounds === 1)
          await until('the other holder has the lease', () =>
            acquireLease(estate.db, { worker: 'rival', source: 'feed', holder: 'the other', ttlMs: 60_000 }),
          );
        await lease.work(committed, (tx) => advance(tx, lease, 'main', {}));
        return { more: false };
      },
    });
    const issue = () =>
      asHost(
        estate.url,
        "select status, evidence_snapshot::text as evidence from system_issues where source_system = 'gcos' and issue_type = 'cursor_lease_conflict'",
      );
    const [found] = await until('the finding', async () => {
      const rows = await issue();
      return rows.length === 1 && rows;
    });
    expect(found?.['evidence']).toMatch(/the other/);
    stop.abort();
    await slow;
    const now = (seconds: number) =>
      asHost(estate.url, `select (clock_timestamp() + interval '${seconds} s')::text as at`).then(
        (rows) => rows[0]?.['at'] as string,
      );
    expect((await watch(await now(500))).resolved).toEqual([]);
    expect((await watch(await now(700))).resolved).toContain('cursor_lease_conflict rival/feed');
  });
});
