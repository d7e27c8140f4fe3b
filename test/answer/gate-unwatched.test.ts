// The gate when nothing watches the host: an authority is revoked meanwhile, and the gate must not allow for
// longer than the rules tolerate, whatever the reason. `--fresh` looks first.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost, ROLE_PASSWORD, urlFor } from '../support/database.js';
import { type Estate, openAt, prepareEstate } from '../support/estate.js';
import { ask, codesOf, inShort } from '../support/gate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { until } from '../support/wait.js';

const TOOL = { collection: 'dot_tools', code: 'DOT-118' };
const REVOKE = `update dot_tools set authority_ref = null where dot_code = 'DOT-118'`;

describe('a gate that nothing keeps up to date', () => {
  const scanned = prepareEstate('installed', async ({ gcos }) => {
    await putRulesIntoForce(gcos, { watchful: true });
    await gcos.backfills.run({});
    await gcos.scans.run({ mode: 'full' });
  });
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  const minutesFromNow = async (minutes: number): Promise<string> =>
    String((await sql(`select (now() + interval '${minutes} minutes')::text as at`))[0]?.['at']);
  const low = async () => {
    const [row] = await sql(
      `select min(entity_code) as code from birth_registry where collection_name = 'table_registry'`,
    );
    return { collection: 'table_registry', code: String(row?.['code']) };
  };
  // A full scan watches the host too. The prepared database may be older than the limit on a busy machine.
  beforeEach(async () => {
    estate = await scanned.copy();
    await estate.gcos.scans.run({ mode: 'full' });
  });
  afterEach(() => estate.close());

  /** Allowed within the limit, with the time as of which that holds; blocked after it. */
  async function expectLimit(): Promise<void> {
    expect(inShort(await ask(estate, TOOL, { at: await minutesFromNow(9) }))).toBe('allow');
    const late = await minutesFromNow(11);
    expect(codesOf(await ask(estate, TOOL, { at: late }))).toContain('unwatched');
    expect((await ask(estate, TOOL, { at: late })).answer).toBe('block');
    expect((await ask(estate, await low(), { at: late })).answer).toBe('allow');
    const nextDay = await ask(estate, await low(), { at: await minutesFromNow(1_441) });
    expect([nextDay.answer, codesOf(nextDay).includes('unwatched')]).toEqual(['allow_and_rescan', true]);
  }

  it('blocks high risk after the limit if no worker was ever started', async () => {
    await sql(REVOKE);
    await expectLimit();
  });

  it('does so after the workers stopped cleanly', async () => {
    await estate.gcos.worker.once({ signal: new AbortController().signal, log: () => undefined });
    await sql(REVOKE);
    await expectLimit();
  });

  it('does so at once while the workers are paused, and at low risk after the limit', async () => {
    expect((await ask(estate, TOOL)).answer).toBe('allow');
    await estate.gcos.workers.pause('test');
    await sql(REVOKE);
    await expect(estate.gcos.intakes.once()).rejects.toMatchObject({ code: 'workers_paused' });
    expect(inShort(await ask(estate, TOOL))).toBe('block paused');
    expect((await ask(estate, await low())).answer).toBe('allow');
    await estate.gcos.workers.resume();
    await expectLimit();
  });

  it('does so while every round fails', async () => {
    await estate.gcos.intakes.once();
    await sql('alter table collection_registry rename to collection_registry_away');
    await sql(REVOKE);
    await expect(estate.gcos.intakes.once()).rejects.toThrow();
    expect((await ask(estate, TOOL, { at: await minutesFromNow(11) })).answer).toBe('block');
  });

  it('blocks if the rules contain no limit, and if the last time watched lies in the future', async () => {
    await estate.gcos.intakes.once();
    await sql(`update governance_gate_rules set max_unwatched = '{}'`);
    expect(inShort(await ask(estate, TOOL))).toBe('block unwatched');
    await sql(`update governance_gate_rules set max_unwatched = '{"high_minutes": 10}'`);
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await sql(`update gov_intake_watch set watched_at = now() + interval '1 hour'`);
    await sql(`update candidate_scan_run set started_at = started_at - interval '1 hour'`);
    expect(inShort(await ask(estate, TOOL))).toBe('block unwatched');
  });

  it('takes fractions of a minute from the rules', async () => {
    await sql(
      `update governance_setting set setting_value = '{"high_minutes": 0.5, "low_minutes": 1.25}' where setting_key = 'gate.max_unwatched'`,
    );
    await putRulesIntoForce(estate.gcos, { watchful: true });
    await estate.gcos.intakes.once();
    await estate.gcos.scans.run({ mode: 'incremental' });
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await sql(`update gov_intake_watch set watched_at = now() - interval '31 seconds';
      update candidate_scan_run set started_at = started_at - interval '1 hour'`);
    expect(inShort(await ask(estate, TOOL))).toBe('block unwatched');
  });

  it("would block also as of an earlier time: the server's clock decides", async () => {
    await sql(`update candidate_scan_run set started_at = started_at - interval '11 minutes';
      update gov_intake_watch set watched_at = watched_at - interval '11 minutes'`);
    const { wouldBe, answers } = await estate.gcos.gates.asOf([TOOL], await minutesFromNow(-5));
    expect(wouldBe).toBe('block');
    expect(answers[0]?.reasons.map((each) => each.code)).toContain('unwatched');
  });

  it('sees what was revoked if it is asked to look first', async () => {
    await sql(REVOKE);
    expect((await ask(estate, TOOL)).answer).toBe('allow');
    const { stdout, exit } = await runCli(
      ['gate', 'check', TOOL.collection, TOOL.code, '--fresh', '--json'],
      {
        env: { DATABASE_URL: estate.url },
      },
    );
    expect(exit).toBe(2);
    const answer = JSON.parse(stdout) as { watched_at: string; decisions: { reasons: { code: string }[] }[] };
    expect(answer.decisions[0]?.reasons.map((each) => each.code)).toEqual(['orphan', 'open_finding']);
    expect(Date.now() - Date.parse(answer.watched_at)).toBeLessThan(60_000);
  });

  it('waits for the worker where the login may not look itself, and blocks at the deadline without one', async () => {
    const api = await openAt(urlFor(estate.url, { user: 'gcos_api', password: ROLE_PASSWORD }));
    await sql(REVOKE);
    const alone = await api.gates.check([TOOL], { fresh: true, deadlineMs: 1_500 });
    expect([alone.answer, alone.id, alone.decisions[0]?.reasons[0]?.code]).toEqual([
      'block',
      null,
      'gate_timeout',
    ]);
    const stop = new AbortController();
    const working = estate.gcos.worker.run({ signal: stop.signal, log: () => undefined, port: 'off' });
    const check = await api.gates.check([TOOL], { fresh: true });
    expect([check.answer, check.decisions[0]?.reasons[0]?.code]).toEqual(['block', 'orphan']);
    stop.abort();
    await working;
    await api.close();
  });

  it('is part of status: as of which time the answer is known', async () => {
    const status = async () => (await estate.gcos.status()).current;
    expect((await status()).answer).toBe('yes');
    expect((await status()).why).toMatch(/^every verdict is valid, as of \d{4}-/);
    await sql(`update candidate_scan_run set started_at = started_at - interval '11 minutes';
      update gov_intake_watch set watched_at = watched_at - interval '11 minutes'`);
    expect(await status()).toMatchObject({
      answer: 'unknown',
      why: expect.stringMatching(/no worker has watched/),
    });
    await estate.gcos.intakes.once();
    await until('the status is known again', async () => (await status()).answer === 'yes');
  });
});
