// `gcos worker status`: what each duty does by its heartbeat, since when it fails, and as of which time the
// host is watched; and the finding that nothing watches the host.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';

describe('gcos worker status', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  const status = () => runCli(['worker', 'status'], { env: { DATABASE_URL: estate.url } });
  const silent = () =>
    sql(
      `select evidence_snapshot #>> '{facts,reason}' as reason, status from system_issues
       where issue_type = 'handoff_silent_gap' order by id desc limit 1`,
    );
  beforeEach(async () => {
    estate = await createEstate('scanned');
  });
  afterEach(() => estate.close());

  it('shows duties that never started, work, and stopped', async () => {
    const before = await status();
    expect(before.exit).toBe(0);
    expect(before.stdout).toMatch(/^watched as of \d{4}-.*\nduty +state +last success/);
    expect(before.stdout).toMatch(/^intake +never started/m);
    const stop = new AbortController();
    const rounds: unknown[] = [];
    const working = estate.gcos.worker.run({
      signal: stop.signal,
      log: (_, event, fields) => event === 'round' && rounds.push(fields),
      port: 'off',
    });
    await until('all duties have succeeded', async () =>
      (await estate.gcos.worker.status()).duties.every(
        (each) => each.state === 'working' && each.lastSuccessAt !== null,
      ),
    );
    await sql(`update dot_tools set authority_ref = null where dot_code = 'DOT-118'`);
    await until('the log shows what the rounds did', () =>
      JSON.stringify(rounds).includes('"duty":"scanner","groups":'),
    );
    expect(rounds).toContainEqual(expect.objectContaining({ duty: 'intake', registry_rows: 1 }));
    await until(
      'nothing waits any more',
      async () => (await estate.gcos.intakes.status()).dirtyGroups === 0n,
    );
    stop.abort();
    await working;
    const after = await estate.gcos.worker.status();
    expect(after.duties.map((each) => each.state)).toEqual(Array(8).fill('stopped'));
    expect(Object.fromEntries(after.duties.map((each) => [each.duty, each.lagSeconds]))).toEqual({
      intake: 0,
      scanner: 0,
      promoter: 0,
      audit: 0,
      seal: 0,
      feed: 0,
      relay: 0,
      supervisor: null,
    });
  });

  it('shows since when a duty fails and why, logs when it recovers, and exits with 2 meanwhile', async () => {
    const events: string[] = [];
    const stop = new AbortController();
    await sql('alter table collection_registry rename to collection_registry_away');
    const working = estate.gcos.worker.run({
      signal: stop.signal,
      log: (_, event, fields) => events.push(`${event} ${String(fields?.['duty'] ?? '')}`),
      port: 'off',
      duties: ['intake'],
    });
    await until('the intake fails', async () => {
      const [intake] = (await estate.gcos.worker.status()).duties;
      return intake?.state === 'failing';
    });
    const failing = await status();
    expect(failing.exit).toBe(2);
    expect(failing.stdout).toMatch(/^intake +failing +\d{4}-/m);
    expect(failing.stdout).toMatch(/^intake: .*collection_registry/m);
    await sql('alter table collection_registry_away rename to collection_registry');
    await until('the intake recovers', async () => events.includes('duty_recovered intake'));
    expect((await status()).stdout).toMatch(/^intake +working/m);
    stop.abort();
    await working;
  });

  it('has a finding while nothing watches the host for longer than the rules tolerate', async () => {
    await sql(`update governance_gate_rules set max_unwatched = '{"high_minutes": 10}'`);
    // The template of the estate may have been made longer ago than that.
    await estate.gcos.intakes.once();
    await estate.gcos.supervise();
    expect(await silent()).toEqual([]);
    await sql(`update candidate_scan_run set started_at = started_at - interval '11 minutes';
      update gov_intake_watch set watched_at = watched_at - interval '11 minutes'`);
    await estate.gcos.supervise();
    expect(await silent()).toMatchObject([{ reason: 'unwatched', status: 'open' }]);
    expect((await status()).stdout).toMatch(/too long ago, the gate blocks/);
    await estate.gcos.intakes.once();
    await estate.gcos.supervise();
    expect(await silent()).toMatchObject([{ reason: 'unwatched', status: 'resolved' }]);
  });
});
