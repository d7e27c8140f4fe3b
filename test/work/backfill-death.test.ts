// A backfill whose process is killed is noticed: by its heartbeat, by the supervisor, and by the next run.
// So is a scan. And what a backfill sets aside, the worker retries.
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, inShort } from '../support/gate.js';
import { until } from '../support/wait.js';
import { startWorkerProcess } from '../support/worker-process.js';

let estate: Estate;
const sql = (text: string) => asHost(estate.url, text);
const setPace = (pace: object) =>
  sql(
    `update governance_setting set setting_value = setting_value || '${JSON.stringify(pace)}' where setting_key = 'backfill.pace'`,
  );
const beat = async () =>
  (
    await sql(
      `select metadata ->> 'state' as state, metadata ->> 'error' as error, metadata #>> '{progress,value}' as progress, last_tick_at::text as at
       from queue_heartbeat where executor_name = 'gcos_closing_run:birth_registry'`,
    )
  )[0];
const runs = (where: string) =>
  sql(`select status, error from candidate_scan_run where ${where} order by started_at, run_id`);
const incomplete = async () =>
  (await sql(`select status from system_issues where issue_type = 'backfill_incomplete'`)).map(
    (row) => row['status'],
  );
const ENDED = { status: 'failed', error: 'the process ended without saying so' };

afterEach(() => estate.close());

describe('a backfill that is killed', () => {
  it('has a heartbeat until then; the supervisor ends its record and reports it, until a backfill completes', async () => {
    estate = await createEstate('ruled');
    await setPace({ first_batch: 100, largest_batch: 100 });
    await estate.gcos.supervise();
    expect(await incomplete()).toEqual([]);
    const child = startWorkerProcess({ url: estate.url, leaseTtlMs: 900 }, 'backfill-process.mjs');
    await child.waitForState('sweep');
    await until('its heartbeat carries its progress', async () =>
      / sweep \d+$/.test(String((await beat())?.['progress'])),
    );
    await estate.gcos.supervise();
    expect([(await beat())?.['state'], await runs('true')]).toEqual([
      'running',
      [{ status: 'running', error: null }],
    ]);
    await child.end();
    const last = await beat();
    await until('the supervisor notices', async () => {
      await estate.gcos.supervise();
      return (await incomplete()).length > 0;
    });
    expect(await incomplete()).toEqual(['open']);
    expect(await runs('true')).toEqual([ENDED]);
    expect(await beat()).toEqual({ ...last, state: 'stopped', error: ENDED.error });
    expect((await estate.gcos.backfills.status()).run).toMatchObject(ENDED);
    await setPace({ first_batch: 5_000, largest_batch: 5_000 });
    expect(await estate.gcos.backfills.run({})).toMatchObject({ resumed: true, proof: { closed: true } });
    expect(await incomplete()).toEqual(['resolved']);
    await estate.gcos.supervise();
    expect([await incomplete(), (await beat())?.['state']]).toEqual([['resolved'], 'stopped']);
  });

  it('is noticed also if it is a full scan: the record ends, and no backfill counts as incomplete', async () => {
    estate = await createEstate('backfilled');
    const { child, done } = startCli(['scan', 'run', '--mode', 'full', '--database-url', estate.url]);
    await until('the scan runs', async () => (await runs(`mode = 'full'`)).length > 0);
    child.kill('SIGKILL');
    await done;
    // Expires the leases at once instead of waiting for half a minute.
    await sql(`update gov_worker_lease set expires_at = now() where not released`);
    await estate.gcos.supervise();
    expect([await runs(`mode = 'full'`), await incomplete()]).toEqual([[ENDED], []]);
    // Without a supervisor, the next closing run does it.
    await sql(`update candidate_scan_run set status = 'running', error = null where mode = 'full'`);
    await estate.gcos.backfills.run({});
    expect(await runs(`mode = 'full'`)).toEqual([ENDED]);
  });
});

describe('a scan of the backlog that is killed', () => {
  /** Kills a scan that has begun and waits for a lock. */
  async function killScan(mode: 'event' | 'incremental'): Promise<void> {
    const holder = new pg.Client({ connectionString: estate.url });
    await holder.connect();
    await holder.query('begin; lock table governance_exception in access exclusive mode');
    const { child, done } = startCli(['scan', 'run', '--mode', mode, '--database-url', estate.url]);
    await until(
      'the scan runs',
      async () => (await runs(`mode = '${mode}' and status = 'running'`)).length > 0,
    );
    child.kill('SIGKILL');
    await done;
    await holder.end();
    // Expires the lease at once instead of waiting for half a minute.
    await sql('update gov_worker_lease set expires_at = now() where not released');
  }

  it('ends as failed: with the next scan, with the next full scan, or with the supervisor', async () => {
    estate = await createEstate('backfilled');
    await killScan('incremental');
    expect(await runs(`mode = 'incremental'`)).toEqual([{ status: 'running', error: null }]);
    await estate.gcos.scans.run({ mode: 'event' });
    expect(await runs(`mode = 'incremental'`)).toEqual([ENDED]);
    await killScan('event');
    await estate.gcos.scans.run({ mode: 'full' });
    await killScan('event');
    await estate.gcos.supervise();
    expect(await runs(`mode = 'event'`)).toEqual([{ status: 'completed', error: null }, ENDED, ENDED]);
    expect(await runs(`status = 'running'`)).toEqual([]);
  });
});

describe('a backfill with a window', () => {
  it('waits outside of it, also in the middle, says so, and works at once if it is told to', async () => {
    estate = await createEstate('ruled');
    const [{ from, to } = {}] = await sql(
      `select to_char((now() + interval '2 hours') at time zone 'UTC', 'HH24:MI') as "from",
         to_char((now() - interval '2 hours') at time zone 'UTC', 'HH24:MI') as "to"`,
    );
    await sql(
      `update governance_setting set setting_value = setting_value || '{"pause_ms": 20}' where setting_key = 'backfill.guard'`,
    );
    await setPace({ first_batch: 1_000, largest_batch: 1_000, window: { from, to } });
    const notes: string[] = [];
    const stop = new AbortController();
    let closing: Promise<unknown> | undefined;
    const waiting = estate.gcos.backfills.run({
      signal: stop.signal,
      onProgress: ({ step, note }) => {
        if (note !== undefined) notes.push(note);
        if (step === 'sweep') closing ??= setPace({ window: { from, to } });
      },
    });
    waiting.catch(() => undefined);
    await until('it waits', () => notes.length > 2);
    expect(notes.at(-1)).toMatch(
      new RegExp(`^outside of its window, ${from} to ${to} UTC, until \\d{4}-.*${from}`),
    );
    // It has not even taken its snapshot, and nobody calls that incomplete.
    await estate.gcos.supervise();
    expect([(await estate.gcos.backfills.status()).phase, await incomplete()]).toEqual([null, []]);
    await setPace({ window: null });
    await until('the sweep works', () => closing);
    const before = notes.length;
    await until('it waits again', () => notes.length > before);
    expect((await estate.gcos.backfills.status()).swept).toBeLessThan(20_000n);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toMatchObject({ code: 'operation_cancelled' });
    const { stdout, exit } = await runCli(['backfill', 'run', '--now', '--database-url', estate.url]);
    expect([exit, stdout]).toEqual([0, expect.stringContaining('proof: nothing omitted')]);
  });
});

describe('a birth that a backfill set aside', () => {
  it('is taken in by the worker alone once the cause is repaired', async () => {
    estate = await createEstate('ruled');
    await sql(
      `alter table governance_candidate_object add constraint injected check (entity_code <> 'DOT-118');
       update governance_setting set setting_value = '{"attempts": 50, "base_seconds": 0.001, "cap_seconds": 0.001}' where setting_key = 'worker.retry'`,
    );
    expect((await estate.gcos.backfills.run({})).proof).toMatchObject({ closed: true, setAside: 1n });
    await sql('alter table governance_candidate_object drop constraint injected');
    const missing = async () =>
      Number(
        (
          await sql(
            `select (select count(*) from birth_registry) - (select sum(member_count) from governance_inventory) as n`,
          )
        )[0]?.['n'],
      );
    expect(await missing()).toBe(1);
    // The first round retries it, the second counts and evaluates it.
    for (let round = 0; round < 2; round += 1)
      await estate.gcos.worker.once({
        signal: new AbortController().signal,
        log: () => undefined,
        duties: ['intake', 'scanner'],
      });
    expect(await missing()).toBe(0);
    expect(inShort(await ask(estate, { collection: 'dot_tools', code: 'DOT-118' }))).toBe('allow');
    expect((await estate.gcos.backfills.status()).retrying).toBe(0n);
    expect((await estate.gcos.backfills.verify()).proof).toMatchObject({ closed: true, setAside: 0n });
  });
});
