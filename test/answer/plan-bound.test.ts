// An approval is bound to the flips that the plan names within the reach of the change. Changes of the host
// outside that reach do not invalidate it, another flip inside does. Planning writes nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/answer/plan/index.js';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

describe('a plan', () => {
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
  /** Makes these links required for tools in the scope. */
  const requireLinks = (links: string, scope = 'health') =>
    host(
      `update coverage_profile set required_links = required_links || '{"${scope}": ${links}}' where class_pattern = 'dot_tool'`,
    );
  /** Activates a ruleset in which tools need no link in scope health, and runs a full scan. */
  const relax = async () => {
    await requireLinks('[]');
    await putRulesIntoForce(estate.gcos);
    await estate.gcos.scans.run({ mode: 'full' });
  };
  const addBirth = (collection: string, code: string) =>
    host(
      `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role)
       select '${code}', collection_name, species_code, composition_level, dot_origin, governance_role
       from birth_registry where collection_name = '${collection}' order by id limit 1`,
    );
  const removeBirth = (code: string) => host(`delete from birth_registry where entity_code = '${code}'`);

  it('writes nothing: no row, no row version, no sequence number', async () => {
    await requireLinks('[]');
    const state = async () => {
      const tables = await host(
        "select format('%I', relname) as name, relkind from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by 1",
      );
      const digests = tables.map(({ name, relkind }) =>
        relkind === 'S'
          ? `select '${name}' as t, last_value::text || is_called::text as n, null as x from ${name}`
          : `select '${name}', count(*)::text, sum(hashtextextended(xmin::text || ctid::text || xmax::text, 0))::text from ${name}`,
      );
      return host(`${digests.join(' union all ')} order by 1`);
    };
    const before = await state();
    const plan = await estate.gcos.plans.plan();
    expect(plan.flips.verdicts.length).toBeGreaterThan(100);
    expect(await state()).toEqual(before);
  });

  it('keeps its approval after births that flip nothing within the reach of the change', async () => {
    await requireLinks('[]');
    // The measurement is unmapped, so it reaches everything; but its findings do not affect verdicts.
    await host("update measurement_registry set severity = 'info' where measurement_id = 'MSR-001'");
    const { code, plan } = await propose();
    expect(plan.changes.some((each) => each.unmapped)).toBe(true);
    await approve(code);
    // One birth in an existing container, and one in a class that the change does not reach.
    await addBirth('articles', 'NOISE-1');
    await addBirth('policy_registry', 'NOISE-2');
    const again = await estate.gcos.plans.plan();
    expect(again.hash).toBe(plan.hash);
    const unbound = again.flips.verdicts.filter((each) => !each.bound);
    expect(unbound.filter((each) => each.code === 'NOISE-2')).toHaveLength(6);
    expect(new Set(unbound.map((each) => each.sourceRegistry))).toEqual(new Set(['policy_registry']));
    expect(plan.flips.verdicts.length).toBeGreaterThan(100);
    expect(plan.flips.verdicts.every((each) => each.bound)).toBe(true);
    await activate(again, code);
  });

  it('that returns to the old rules flips everything back', async () => {
    await relax();
    const flipped = await host(
      "select entity_code from governance_candidate_object where collection_name = 'dot_tools' and scope = 'health' and row_state = 'active' and candidate_verdict = 'not_relevant'",
    );
    expect(flipped.length).toBeGreaterThan(100);
    await requireLinks('["owner", "heartbeat"]');
    const { plan } = await propose();
    const back = plan.flips.verdicts.filter((each) => each.code !== null);
    expect(back.map((each) => [each.scope, each.from, each.to].join(' '))).toEqual(
      flipped.map(() => 'health not_relevant relevant'),
    );
    // Only findings that were open before are reopened.
    expect(plan.flips.findings.every((each) => each.change === 'reopened')).toBe(true);
    expect(plan.flips.outcomes.length).toBe(plan.flips.verdicts.length);
  });

  it('loses its approval when its flips change: the activation is refused and changes nothing', async () => {
    await relax();
    await requireLinks('["owner", "heartbeat"]');
    const { code, plan } = await propose();
    await approve(code);
    const expectRefused = async () => {
      const refused = activate(plan, code);
      await expect(refused).rejects.toMatchObject({ code: 'plan_changed', exit: 2 });
      const [row] = await host("select ruleset_version as v from governance_ruleset where status = 'active'");
      expect(row?.['v']).toBe(plan.from);
    };
    // One more object that would flip.
    await addBirth('dot_tools', 'DOT-LATE');
    await expectRefused();
    await removeBirth('DOT-LATE');
    // The same objects, but one has another outcome: it has two owners now.
    await host(
      `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, audit_ref)
       select 'dot_tool', (select min(dot_code) from dot_tools), 'health', 'accountable', code, 'late'
       from unnest(array['GOV-COUNCIL', 'GOV-SIV']) as code`,
    );
    await expectRefused();
    await host("delete from governance_object_ownership where audit_ref = 'late'");
    // Both changes are undone, so the approval is valid again.
    await activate(plan, code);
  });

  it('is shown on one screen, and its flips page by page', async () => {
    await requireLinks('[]', 'audit');
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
