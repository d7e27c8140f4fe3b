// The activation of an earlier ruleset: which groups are evaluated again, and which are not.
import { describe, expect, it } from 'vitest';
import { coverage, estate, host, marks, others, scan, useReconciled } from '../support/reconciled.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

useReconciled();

describe('a ruleset that is rolled back', () => {
  const active = async () =>
    String(
      (await host(`select ruleset_version as v from governance_ruleset where status = 'active'`))[0]?.['v'],
    );
  /** The number of open findings about the missing approval of DOT-117. */
  const gaps = () => coverage(`k.finding_type = 'approval_path_gap' and s.entity_code = 'DOT-117'`);

  it('evaluates again exactly the groups that the change reaches, and groups that are dirty anyway', async () => {
    const first = await active();
    expect(await gaps()).toBe(1);
    // Changes a profile that then requires less of tools, and a profile whose verdicts then live longer.
    const edit = (links: string, hours: number) =>
      host(`update coverage_profile set required_links = required_links || '{"approval": ${links}}' where class_pattern = 'dot_tool';
        update coverage_profile set ttl = ttl + interval '${hours} hours' where class_pattern = 'order%'`);
    await edit('["owner"]', 1);
    await putRulesIntoForce(estate.gcos);
    expect((await scan('incremental')).evaluated).toBeGreaterThan(10);
    expect(await gaps()).toBe(0);
    await host(
      `update governance_candidate_state c set dirty = true, dirty_reason = 'authority', dirtied_at = now() from governance_inventory i
       where i.inventory_key = c.inventory_key and i.source_registry in ('orders', 'venues') and c.scope = 'audit' and c.row_state = 'active'`,
    );
    await edit('["owner", "approval"]', -1);
    expect(await putRulesIntoForce(estate.gcos)).toBe(first);
    const reached = await host(
      `select distinct i.source_registry as registry, g.scope from governance_group g join governance_inventory i using (inventory_key)
       where i.object_class = 'dot_tool' or i.object_class like 'order%'`,
    );
    const marked = await marks();
    expect(new Set(marked.map((each) => `${each.registry} ${each.scope} ${each.reason}`))).toEqual(
      new Set([
        ...reached.map((row) => `${row['registry']} ${row['scope']} ruleset_bump`),
        // The groups keep the reason that they had; the objects of orders were clean.
        'orders audit authority',
        'venues audit authority',
      ]),
    );
    const keys = [...new Set(marked.map((each) => each.key))];
    const before = await others(keys);
    expect(before.every((row) => row['v'] !== null)).toBe(true);
    expect(await scan('incremental')).toMatchObject({
      lookedAt: keys.length * 6,
      evaluated: keys.length * 6,
    });
    expect(await others(keys)).toEqual(before);
    expect(await gaps()).toBe(1);
    expect(await scan('full')).toMatchObject({
      changed: 0,
      findings: { raised: 0, resolved: 0, reopened: 0 },
    });
  });
});
