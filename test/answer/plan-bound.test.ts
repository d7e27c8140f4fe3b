// What an approval holds for: exactly what would flip where the change reaches. Noise beside it does not matter, another flip does, and
// planning writes nothing at all.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/answer/plan/index.js';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

describe('the approval of a plan', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('scanned');
  });
  afterEach(() => estate?.close());

  const host = (sql: string) => asHost(estate.url, sql);
  const propose = () => estate.gcos.plans.propose({ as: 'member-1' });
  const activate = (plan: Plan, code: string) =>
    estate.gcos.plans.activate(plan.to, code, { as: 'operator' });
  async function approve(code: string): Promise<void> {
    for (const as of ['president', 'council-1', 'council-2'])
      await estate.gcos.requests.approve(code, { as });
  }
  /** Tools need these links in the scope. */
  const require = (links: string, scope = 'health') =>
    host(
      `update coverage_profile set required_links = required_links || '{"${scope}": ${links}}' where class_pattern = 'dot_tool'`,
    );
  /** Tools need nothing in scope health any more; that is in force, and everything was scanned under it. */
  const relax = async () => {
    await require('[]');
    await putRulesIntoForce(estate.gcos);
    await estate.gcos.scans.run({ mode: 'full' });
  };
  const give = (collection: string, code: string) =>
    host(
      `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role)
       select '${code}', collection_name, species_code, composition_level, dot_origin, governance_role
       from birth_registry where collection_name = '${collection}' order by id limit 1`,
    );
  const takeBack = (code: string) => host(`delete from birth_registry where entity_code = '${code}'`);

  it('is asked for without a trace: no row, no version of one, no number of a sequence', async () => {
    await require('[]');
    const state = async () => {
      const tables = await host(
        "select format('%I', relname) as name, relkind from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by 1",
      );
      const look = tables.map(({ name, relkind }) =>
        relkind === 'S'
          ? `select '${name}' as t, last_value::text || is_called::text as n, null as x from ${name}`
          : `select '${name}', count(*)::text, sum(hashtextextended(xmin::text || ctid::text || xmax::text, 0))::text from ${name}`,
      );
      return host(`${look.join(' union all ')} order by 1`);
    };
    const before = await state();
    const plan = await estate.gcos.plans.plan();
    expect(plan.flips.verdicts.length).toBeGreaterThan(100);
    expect(await state()).toEqual(before);
  });

  it('outlives births that flip nothing where the change reaches', async () => {
    await require('[]');
    // Nobody mapped it, so it reaches everything; but what it finds has no part in verdicts.
    await host("update measurement_registry set severity = 'info' where measurement_id = 'MSR-001'");
    const { code, plan } = await propose();
    expect(plan.changes.some((each) => each.unmapped)).toBe(true);
    await approve(code);
    // In a container that is there already, and in a class that no change concerns.
    await give('articles', 'NOISE-1');
    await give('policy_registry', 'NOISE-2');
    const again = await estate.gcos.plans.plan();
    expect(again.hash).toBe(plan.hash);
    const loose = again.flips.verdicts.filter((each) => !each.bound);
    expect(loose.filter((each) => each.code === 'NOISE-2')).toHaveLength(6);
    expect(new Set(loose.map((each) => each.sourceRegistry))).toEqual(new Set(['policy_registry']));
    expect(plan.flips.verdicts.length).toBeGreaterThan(100);
    expect(plan.flips.verdicts.every((each) => each.bound)).toBe(true);
    await activate(again, code);
  });

  it('going back flips everything back, and is planned like any other change', async () => {
    await relax();
    const flipped = await host(
      "select entity_code from governance_candidate_object where collection_name = 'dot_tools' and scope = 'health' and row_state = 'active' and candidate_verdict = 'not_relevant'",
    );
    expect(flipped.length).toBeGreaterThan(100);
    await require('["owner", "heartbeat"]');
    const { plan } = await propose();
    const back = plan.flips.verdicts.filter((each) => each.code !== null);
    expect(back.map((each) => [each.scope, each.from, each.to].join(' '))).toEqual(
      flipped.map(() => 'health not_relevant relevant'),
    );
    // What was open before is open again, and no other finding is.
    expect(plan.flips.findings.every((each) => each.change === 'reopened')).toBe(true);
    expect(plan.flips.outcomes.length).toBe(plan.flips.verdicts.length);
  });

  it('does not hold for what flips otherwise since: refused, and nothing has changed', async () => {
    await relax();
    await require('["owner", "heartbeat"]');
    const { code, plan } = await propose();
    await approve(code);
    const refuse = async () => {
      const refused = activate(plan, code);
      await expect(refused).rejects.toMatchObject({ code: 'plan_changed', exit: 2 });
      const [row] = await host("select ruleset_version as v from governance_ruleset where status = 'active'");
      expect(row?.['v']).toBe(plan.from);
    };
    // One more object that would flip.
    await give('dot_tools', 'DOT-LATE');
    await refuse();
    await takeBack('DOT-LATE');
    // The same objects, and one comes to something else: two answer for it now.
    await host(
      `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, audit_ref)
       select 'dot_tool', (select min(dot_code) from dot_tools), 'health', 'accountable', code, 'late'
       from unnest(array['GOV-COUNCIL', 'GOV-SIV']) as code`,
    );
    await refuse();
    await host("delete from governance_object_ownership where audit_ref = 'late'");
    // Nothing of it is left: what was approved holds again.
    await activate(plan, code);
  });

  it('is shown on one screen, and page by page', async () => {
    await require('[]', 'audit');
    const run = (...args: string[]) => runCli(['ruleset', 'plan', ...args, '--database-url', estate.url]);
    const shown = await run();
    expect(shown.stdout).toMatch(/would flip \d+ verdicts and \d+ outcomes/);
    expect(shown.stdout.split('\n').length).toBeLessThan(45);
    const plan = JSON.parse((await run('--json')).stdout) as Plan;
    const page = await run('--show', 'verdicts', '--limit', '2', '--after', '2');
    expect(page.stdout.split('\n')).toHaveLength(5);
    expect(page.stdout).toContain('more: --after 4');
    expect(page.stdout).toContain(plan.flips.verdicts[2]?.code ?? '');
    expect((await run('--show', 'nothing')).exit).toBe(3);
  });
});
