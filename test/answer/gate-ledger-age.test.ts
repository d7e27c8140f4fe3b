// The gate when no ledger was closed for long: what the tail could have missed since is not discovered, so it
// does not allow for longer than the rules tolerate.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, codesOf, inShort } from '../support/gate.js';

/** Those of an active ruleset from before the setting existed. */
const DEFAULTS = '{}';
const TOOL = { collection: 'dot_tools', code: 'DOT-118' };

describe('a gate with an old ledger', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  const setLimits = (limits: string) => sql(`update governance_gate_rules set max_ledger_age = '${limits}'`);
  const age = (interval: string) =>
    sql(`update candidate_scan_run set started_at = started_at - interval '${interval}'`);
  const fromNow = async (interval: string): Promise<string> =>
    String((await sql(`select (now() + interval '${interval}')::text as at`))[0]?.['at']);
  const low = async () => {
    const [row] = await sql(
      `select min(entity_code) as code from birth_registry where collection_name = 'table_registry'`,
    );
    return { collection: 'table_registry', code: String(row?.['code']) };
  };
  beforeEach(async () => {
    estate = await createEstate('scanned');
    await sql(`insert into gov_intake_watch (source, watched_at) values ('birth_registry', now())
      on conflict (source) do update set watched_at = excluded.watched_at`);
  });
  afterEach(() => estate.close());

  it('blocks high risk after 72 hours by default, low risk gets a rescan after 336, and a full scan ends it', async () => {
    await setLimits(DEFAULTS);
    await age('71 hours');
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await age('2 hours');
    const blocked = await ask(estate, TOOL);
    expect(inShort(blocked)).toBe('block ledger_too_old');
    expect(blocked.reasons[0]?.sentence).toMatch(/^the last closed ledger is of \d{4}-/);
    expect(blocked.fixes[0]?.what).toMatch(/gcos scan run --mode full/);
    expect(inShort(await ask(estate, await low()))).toBe('allow');
    await age('270 hours');
    expect(inShort(await ask(estate, await low()))).toBe('allow_and_rescan ledger_too_old');
    await estate.gcos.scans.run({ mode: 'full' });
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
  });

  it("goes by the server's clock, also as of an earlier time", async () => {
    await setLimits('{"high_hours": 1, "low_hours": 2}');
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    expect(codesOf(await ask(estate, TOOL, { at: await fromNow('62 minutes') }))).toContain('ledger_too_old');
    await age('62 minutes');
    const earlier = await estate.gcos.gates.asOf([TOOL], await fromNow('-30 minutes'));
    expect(earlier.answers[0]?.reasons.map((each) => each.code)).toContain('ledger_too_old');
    expect(inShort(await ask(estate, TOOL, { stage: 'route' }))).toBe('allow');
  });

  it('tolerates a clock that was set back by less than the limit, and no more', async () => {
    await setLimits(DEFAULTS);
    await age('-71 hours');
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await age('-2 hours');
    expect(inShort(await ask(estate, TOOL))).toBe('block ledger_too_old');
    // A ledger of the past counts rather than one of the future.
    await sql(`update candidate_scan_run set started_at = now() - interval '1 hour' where kind = 'backfill'`);
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
  });

  it('goes by the last ledger that closed, whatever failed since', async () => {
    await setLimits(DEFAULTS);
    await age('80 hours');
    await sql(`update candidate_scan_run set status = 'failed' where mode = 'full'`);
    expect(inShort(await ask(estate, TOOL))).toBe('block ledger_not_closed ledger_too_old');
    await sql(`update candidate_scan_run set started_at = now() where kind = 'backfill'`);
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await sql(`update candidate_scan_run set status = 'failed'`);
    expect(inShort(await ask(estate, TOOL))).toBe('block ledger_not_closed');
  });

  it('judges audits and closing runs by it, not as workers that are overdue, nor a late seal', async () => {
    const silent = (executor: string) =>
      sql(`insert into queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, ticks_total, metadata)
        values ('${executor}', 'gcos', now() - interval '1 hour', 'error', 1,
          jsonb_build_object('state', 'running', 'failing_since', now() - interval '1 hour'))`);
    await sql(`delete from queue_heartbeat where executor_kind = 'gcos'`);
    await silent('gcos_audit:candidate_scan_run');
    await silent('gcos_closing_run:birth_registry');
    await silent('gcos_seal:governance_gate_answer');
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await silent('gcos_scan:candidates');
    expect(inShort(await ask(estate, TOOL))).toBe('block worker_overdue');
  });

  it('has its limits from the approved ruleset, not from the table', async () => {
    expect(await sql('select max_ledger_age as limits from governance_gate_rules')).toEqual([
      { limits: { high_hours: 87_600, low_hours: 87_600 } },
    ]);
    await sql(
      `update governance_setting set setting_value = '{"high_hours": 0, "low_hours": 0}' where setting_key = 'gate.max_ledger_age'`,
    );
    expect(codesOf(await ask(estate, TOOL))).not.toContain('ledger_too_old');
  });
});
