// The reach of a rule: where it comes from, and the reach of a change of rules.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { type RulesetContent, readContent } from '../../src/host/index.js';
import { diffContent, reachIn, reachOfChanges } from '../../src/rule/ruleset/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const RC = { isolation: 'read committed' } as const;

describe('the reach of rules', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate.close());
  const host = (sql: string) => asHost(estate.url, sql);
  const run = <T>(work: (tx: Transaction) => Promise<T>) => estate.db.transaction(RC, work);
  const content = () => run((tx) => readContent(tx));
  const constraint = (scope: string | null, sourceRegistry: string | null = null) => ({
    scope,
    axisFamily: null,
    sourceRegistry,
  });

  /** Gives one measurement its own reach. */
  const mapDetector = () =>
    host(
      "insert into governance_rule_reach (rule_kind, rule_code, scope, source_registry) values ('measurement', 'MSR-001', 'audit', 'dot_tools')",
    );

  it('is seeded at init from the jurisdiction of laws whose domains are all mapped', async () => {
    const rows = await host(
      `select r.rule_code, r.scope, (select string_agg(j.domain, ' ' order by j.domain) from law_jurisdiction j where j.law_code = r.rule_code) as domains
       from governance_rule_reach r where r.rule_kind = 'law' and r.origin = 'jurisdiction'`,
    );
    const scopesOf = (law: string) =>
      rows.filter((row) => row['rule_code'] === law).map((row) => row['scope']);
    expect(scopesOf('LAW-04')).toEqual(['health']);
    expect(scopesOf('LAW-32').sort()).toEqual(['approval', 'policy']);
    expect(scopesOf('LAW-45')).toEqual([null]);
    // The domain trade is unmapped, so the domain birth alone must not narrow LAW-19.
    expect(scopesOf('LAW-19')).toEqual([]);
    expect(rows.filter((row) => /content|trade/.test(String(row['domains'])))).toEqual([]);
    expect(rows.length).toBeGreaterThan(25);
  });

  it('of a measurement is its own, else that of its law, else everything, which the ruleset records as unmapped', async () => {
    await mapDetector();
    const reach = await run(async (tx) =>
      reachIn(await readContent(tx), [
        { kind: 'measurement', code: 'MSR-001', lawCode: 'LAW-04' },
        { kind: 'measurement', code: 'MSR-002', lawCode: 'LAW-04' },
        { kind: 'measurement', code: 'MSR-003', lawCode: 'LAW-46' },
        { kind: 'measurement', code: 'MSR-004', lawCode: 'LAW-45' },
        { kind: 'law', code: 'LAW-32' },
      ]),
    );
    expect(reach.map(({ by, everything }) => [by, everything])).toEqual([
      ['measurement', false],
      ['law', false],
      ['none', true],
      ['law', true],
      ['law', false],
    ]);
    expect(reach[0]?.constraints).toEqual([constraint('audit', 'dot_tools')]);
    expect(reach[4]?.constraints).toEqual([constraint('approval'), constraint('policy')]);
    const draft = await estate.gcos.rulesets.draft();
    expect(draft.provenance.reach_everything.laws).toContain('LAW-46');
    expect(draft.provenance.reach_everything.laws).not.toContain('LAW-45');
    expect(draft.provenance.reach_everything.unmapped).not.toContain('MSR-001');
    expect(draft.provenance.reach_everything.unmapped.length).toBeGreaterThan(20);
  });

  it('is seeded again without changing existing rows', async () => {
    await host(
      `update governance_rule_reach set scope = 'audit' where rule_code = 'LAW-04';
       delete from governance_rule_reach where rule_code = 'LAW-08';
       update governance_setting set setting_value = setting_value || '{"content": {"registries": ["articles", "pages"], "scopes": ["render"]}}'
       where setting_key = 'rule.reach_domains'`,
    );
    const rows = () => host('select * from governance_rule_reach order by 1, 2, 3, 4');
    const before = await rows();
    await estate.gcos.upgrade();
    const seeded = await rows();
    expect(seeded.length).toBeGreaterThan(before.length + 2);
    await estate.gcos.upgrade();
    expect(await rows()).toEqual(seeded);
    expect(await host("select scope from governance_rule_reach where rule_code = 'LAW-04'")).toEqual([
      { scope: 'audit' },
    ]);
    expect(await host("select scope from governance_rule_reach where rule_code = 'LAW-08'")).toEqual([
      { scope: 'policy' },
    ]);
    expect(
      await host(
        "select scope, source_registry from governance_rule_reach where rule_code = 'LAW-10' order by 2",
      ),
    ).toEqual([
      { scope: 'render', source_registry: 'articles' },
      { scope: 'render', source_registry: 'pages' },
    ]);
  });

  it('is never narrowed to a scope that the host does not have', async () => {
    await host(
      'delete from governance_rule_reach; alter table governance_responsibility_scope rename to hidden',
    );
    await estate.gcos.upgrade();
    const reach = (await content()).components.find((each) => each.component === 'reach');
    expect(reach?.state === 'present' && reach.rows.every((row) => row['scope'] === null)).toBe(true);
    expect(reach?.state === 'present' && reach.rows.length).toBeGreaterThan(0);
  });

  /** The reach of a change of the tables: the old and the new reach together. */
  async function reachAfter(sql: string) {
    const before = await content();
    const after = await estate.db.rehearse(RC, async (tx) => {
      await tx.script(sql);
      return readContent(tx);
    });
    return reachOfChanges(diffContent(before, after), before, after);
  }

  it('of a change is the old and the new reach', async () => {
    await mapDetector();
    const [query, ...others] = await reachAfter(
      "update measurement_registry set source_query = 'select 1' where measurement_id = 'MSR-001'",
    );
    expect(others).toEqual([]);
    expect(query).toMatchObject({ everything: false, unmapped: false });
    expect(new Set(query?.constraints.map((each) => `${each.scope} ${each.sourceRegistry}`))).toEqual(
      new Set(['audit dot_tools']),
    );

    const moved = await reachAfter(
      "update measurement_registry set law_code = 'LAW-32' where measurement_id = (select min(measurement_id) from measurement_registry where law_code = 'LAW-20')",
    );
    expect(moved).toHaveLength(1);
    expect(new Set(moved[0]?.constraints.map((each) => each.scope))).toEqual(
      new Set(['health', 'approval', 'policy']),
    );

    const narrowed = await reachAfter(
      "insert into governance_rule_reach (rule_kind, rule_code, scope) values ('law', 'LAW-46', 'health')",
    );
    expect(narrowed).toMatchObject([{ everything: true, unmapped: true }]);
    const removed = await reachAfter(
      "delete from governance_rule_reach where rule_code = 'LAW-32' and scope = 'policy'",
    );
    expect(new Set(removed[0]?.constraints.map((each) => each.scope))).toEqual(
      new Set(['approval', 'policy']),
    );

    // A measurement that gets its own row had the reach of its law before, not everything.
    const own = await reachAfter(
      `insert into governance_rule_reach (rule_kind, rule_code, scope)
       select 'measurement', min(measurement_id), 'render' from measurement_registry where enabled and law_code = 'LAW-32'`,
    );
    expect(own).toMatchObject([{ everything: false, unmapped: false }]);
    expect(new Set(own[0]?.constraints.map((each) => each.scope))).toEqual(
      new Set(['approval', 'policy', 'render']),
    );
    // A measurement without a law was unmapped: its old reach is everything.
    const before = await content();
    const lawless: RulesetContent = {
      ...before,
      components: before.components.map((each) =>
        each.component === 'detectors' && each.state === 'present'
          ? {
              ...each,
              rows: each.rows.map((row) => (row['law_code'] === 'LAW-32' ? { ...row, law_code: null } : row)),
            }
          : each,
      ),
    };
    const adopted = reachOfChanges(diffContent(lawless, before), lawless, before);
    expect(adopted.length).toBeGreaterThan(0);
    expect(adopted.every((each) => each.everything)).toBe(true);

    expect(
      await reachAfter("update coverage_profile set class_pattern = 'axle' where profile_code = 'PRF-006'"),
    ).toMatchObject([
      { everything: false, constraints: [{ classPattern: 'axis' }, { classPattern: 'axle' }] },
    ]);
    expect(
      await reachAfter("update axis_registry set object_class = null where axis_code = 'AX-VENUE-REGION'"),
    ).toMatchObject([{ everything: true }]);
    expect(
      await reachAfter(
        "update governance_responsibility_scope set status = 'retired' where scope_code = 'audit'",
      ),
    ).toMatchObject([{ everything: false, constraints: [{ scope: 'audit', classPattern: null }] }]);
    expect(
      await reachAfter("insert into governance_setting values ('verdict.x', '1', 'a test')"),
    ).toMatchObject([{ everything: true }]);
    // The mode and the limits of the gate change no verdict.
    for (const setting of ['mode', 'max_unwatched', 'max_ledger_age'])
      expect(
        await reachAfter(
          `update governance_setting set setting_value = '{"prod": "observe"}' where setting_key = 'gate.${setting}'`,
        ),
      ).toMatchObject([{ everything: false, constraints: [] }]);
    const gone = await reachAfter('alter table axis_registry rename to hidden');
    expect(gone[0]).toMatchObject({ everything: true, change: { of: 'state', change: 'removed' } });
  });

  it('in a ruleset stays that of its draft', async () => {
    const earlier: RulesetContent = await content();
    await host("delete from governance_rule_reach where rule_code = 'LAW-32'");
    expect(reachIn(earlier, [{ kind: 'law', code: 'LAW-32' }])).toMatchObject([{ everything: false }]);
    expect(reachIn(await content(), [{ kind: 'law', code: 'LAW-32' }])).toMatchObject([
      { everything: true, by: 'none' },
    ]);
  });
});
