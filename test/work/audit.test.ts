// The periodic full audit of a worker: when it is due by the server's clock, in which hours it may run, how
// it fails and stops, and the finding that it is overdue.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogFields } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { until } from '../support/wait.js';

let estate: Estate;
const sql = (text: string) => asHost(estate.url, text);
const log = () => undefined;
const signal = new AbortController().signal;

/** Full scans, latest first. */
const audits = async () =>
  (
    await sql(
      `select status, error from candidate_scan_run where mode = 'full' order by started_at desc, run_id desc`,
    )
  ).map((row) => String(row['error'] ?? row['status']));
/** Moves all runs into the past, as if the worker had been stopped since. */
const age = (interval: string) =>
  sql(`update candidate_scan_run set started_at = started_at - interval '${interval}'`);
const set = (value: object) =>
  sql(
    `update governance_setting set setting_value = setting_value || '${JSON.stringify(value)}' where setting_key = 'scan.audit'`,
  );
/** A window relative to the server's time. */
const windowFrom = async (from: string, to: string) => {
  const [row] = await sql(
    `select to_char((now() + interval '${from}') at time zone 'UTC', 'HH24:MI') as "from",
       to_char((now() + interval '${to}') at time zone 'UTC', 'HH24:MI') as "to"`,
  );
  return { from: String(row?.['from']), to: String(row?.['to']) };
};
const once = async () => (await estate.gcos.worker.once({ signal, log, duties: ['audit'] }))[0]?.outcome;
const statusOf = async () => (await estate.gcos.worker.status()).duties.find(({ duty }) => duty === 'audit');
const overdue = async () =>
  (await sql(`select status from system_issues where issue_type = 'audit_overdue'`)).map(
    (row) => row['status'],
  );

afterEach(() => estate.close());

describe('after a full scan', () => {
  beforeEach(async () => {
    estate = await createEstate('scanned');
  });

  it('an audit runs once the last closed ledger is older than the cadence, and not again', async () => {
    await age('23 hours');
    expect([await once(), await audits()]).toEqual(['done', ['completed']]);
    await age('61 minutes');
    expect([await once(), await audits()]).toEqual(['done', ['completed', 'completed']]);
    expect([await once(), (await audits()).length]).toEqual(['done', 2]);
    expect((await estate.gcos.ledgers.show()).closes).toBe(true);
    // A ledger from the future does not postpone it: the clock was set back.
    await age('-3 days');
    expect([await once(), (await audits()).length]).toEqual(['done', 3]);
    expect([await once(), (await audits()).length]).toEqual(['done', 3]);
  });

  it('waits for the window, and then runs once in it, before the ledger gets too old in it', async () => {
    await set({ window: await windowFrom('2 hours', '4 hours') });
    await age('30 hours');
    expect([await once(), (await audits()).length]).toEqual(['done', 1]);
    expect((await statusOf())?.lagSeconds).toBe(0);
    // The window opened an hour ago. In it, the ledger of 22 hours ago would get older than a day.
    await set({ window: await windowFrom('-1 hour', '3 hours') });
    await age('-8 hours');
    expect([await once(), (await audits()).length]).toEqual(['done', 2]);
    expect([await once(), (await audits()).length]).toEqual(['done', 2]);
    for (const window of [{ from: '25:00', to: '01:00' }, { from: '01:00', to: '01:00' }, 'at night']) {
      await set({ window });
      await expect(once()).rejects.toMatchObject({ code: 'setting_invalid' });
    }
    await set({ window: null, overdue_hours: 1 });
    await expect(once()).rejects.toMatchObject({ code: 'setting_invalid' });
  });

  it('two workers make one audit; intake and scanner give way to it, and continue', async () => {
    await age('25 hours');
    const stop = new AbortController();
    const other = await openAt(estate.url);
    const failed: LogFields[] = [];
    const work = (gcos: Estate['gcos']) =>
      gcos.worker.run({
        signal: stop.signal,
        log: (level, _, fields) => level !== 'info' && failed.push(fields ?? {}),
        port: 'off',
      });
    const working = [work(estate.gcos), work(other)];
    await until(
      'the audit has closed a ledger',
      async () => (await audits()).join() === 'completed,completed',
    );
    // A full scan of an operator beside the workers.
    expect((await estate.gcos.scans.run({ mode: 'full' })).ledger?.closes).toBe(true);
    await sql(`update dot_tools set authority_ref = null where dot_code = 'DOT-118'`);
    await until('a change was taken in and scanned', async () => {
      const [row] = await sql(
        `select bool_or(coverage_outcome = 'orphan' and not dirty) as done from governance_candidate_object
         where collection_name = 'dot_tools' and entity_code = 'DOT-118' and row_state = 'active'`,
      );
      return row?.['done'] === true;
    });
    stop.abort();
    await Promise.all(working);
    await other.close();
    expect([await audits(), failed]).toEqual([['completed', 'completed', 'completed'], []]);
  });

  it('an audit that fails is retried; log and status show why; audit_overdue is open meanwhile', async () => {
    await age('47 hours');
    await estate.gcos.supervise();
    expect(await overdue()).toEqual([]);
    await age('2 hours');
    // Every scan must flag a canary, which this row hides.
    const canary = `'gcos:canary/nothing'`;
    await sql(`insert into queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, ticks_total)
      values (${canary}, 'test', now(), 'ok', 1)`);
    const stop = new AbortController();
    const events: string[] = [];
    const working = estate.gcos.worker.run({
      signal: stop.signal,
      log: (_, event, fields) => events.push(`${event} ${String(fields?.['code'] ?? fields?.['duty'])}`),
      port: 'off',
      duties: ['audit'],
    });
    await until('the audit fails', async () => (await statusOf())?.state === 'failing');
    expect((await statusOf())?.error).toMatch(/^scan_canary_missed/);
    await estate.gcos.supervise();
    expect(await overdue()).toEqual(['open']);
    await sql(`delete from queue_heartbeat where executor_name = ${canary}`);
    await until('the audit recovers', () => events.includes('duty_recovered scan_canary_missed'));
    stop.abort();
    await working;
    expect(events).toContain('duty_failed scan_canary_missed');
    expect((await audits())[0]).toBe('completed');
    await estate.gcos.supervise();
    expect(await overdue()).toEqual(['resolved']);
  });

  it('stops in the middle of an audit without an error, and releases its leases', async () => {
    await age('25 hours');
    const stop = new AbortController();
    const bad: string[] = [];
    const working = estate.gcos.worker.run({
      signal: stop.signal,
      log: (level, event) => level !== 'info' && bad.push(event),
      port: 'off',
      duties: ['audit'],
    });
    await until('the audit runs', async () => (await audits())[0] === 'running');
    stop.abort();
    await working;
    expect(bad).toEqual([]);
    expect((await audits())[0]).toBe('This operation was aborted');
    expect(await sql('select worker from gov_worker_lease where not released')).toEqual([]);
    expect(
      await sql(
        `select executor_name from queue_heartbeat where executor_kind = 'gcos' and metadata ->> 'state' <> 'stopped'`,
      ),
    ).toEqual([]);
  });
});

describe('before a full scan', () => {
  it('the worker waits for the first backfill', async () => {
    estate = await createEstate('installed');
    expect([await once(), await audits()]).toEqual(['not_ready', []]);
    await estate.gcos.supervise();
    expect(await overdue()).toEqual([]);
  });

  it('the worker audits right after the first backfill, once', async () => {
    estate = await createEstate('backfilled');
    expect([await once(), await audits()]).toEqual(['done', ['completed']]);
    expect([await once(), await audits()]).toEqual(['done', ['completed']]);
  });
});
