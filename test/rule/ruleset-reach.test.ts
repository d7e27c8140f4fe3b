// What a rule governs, and the finding that the rules in the tables are not those in force.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import {
  diffContent,
  encodeContent,
  type RulesetContent,
  reachIn,
  reachOf,
  reachOfChanges,
  readContent,
  seedReach,
} from '../../src/rule/ruleset/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';
import { activateNow } from '../support/ruleset.js';

const RC = { isolation: 'read committed' } as const;

describe('reach of rules', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
  });
  afterAll(() => estate.close());
  const host = (sql: string) => asHost(estate.url, sql);
  const run = <T>(work: (tx: Transaction) => Promise<T>) => estate.db.transaction(RC, work);
  const content = () => run((tx) => readContent(tx));
  const constraint = (scope: string | null, sourceRegistry: string | null = null) => ({
    scope,
    axisFamily: null,
    sourceRegistry,
  });

  it('is seeded at init from the jurisdiction of laws, as far as every domain of a law is known', async () => {
    const rows = await host(
      `select r.rule_code, r.scope, (select string_agg(j.domain, ' ' order by j.domain) from law_jurisdiction j where j.law_code = r.rule_code) as domains
       from governance_rule_reach r where r.rule_kind = 'law' and r.origin = 'jurisdiction'`,
    );
    const of = (law: string) => rows.filter((row) => row['rule_code'] === law).map((row) => row['scope']);
    expect(of('LAW-04')).toEqual(['health']);
    expect(of('LAW-32').sort()).toEqual(['approval', 'policy']);
    expect(of('LAW-45')).toEqual([null]);
    // Trade is no domain anybody mapped, so birth alone must not narrow LAW-19.
    expect(of('LAW-19')).toEqual([]);
    expect(rows.filter((row) => /content|trade/.test(String(row['domains'])))).toEqual([]);
    expect(rows.length).toBeGreaterThan(25);
  });

  it('of a measurement is its own, else its law’s; nobody mapped it: everything, and the ruleset says so', async () => {
    await host(
      "insert into governance_rule_reach (rule_kind, rule_code, scope, source_registry) values ('measurement', 'MSR-001', 'audit', 'dot_tools')",
    );
    const reach = await run((tx) =>
      reachOf(tx, [
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

  it('is seeded again without touching what people changed', async () => {
    await host(
      `update governance_rule_reach set scope = 'audit' where rule_code = 'LAW-04';
       delete from governance_rule_reach where rule_code = 'LAW-08';
       update governance_setting set setting_value = setting_value || '{"content": {"registries": ["articles", "pages"], "scopes": ["render"]}}'
       where setting_key = 'rule.reach_domains'`,
    );
    expect(await run(seedReach)).toBeGreaterThan(2n);
    expect(await run(seedReach)).toBe(0n);
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

  it('is never narrowed to a scope the host does not have', async () => {
    const seeded = await estate.db.rehearse(RC, async (tx) => {
      await tx.script(
        'delete from governance_rule_reach; alter table governance_responsibility_scope rename to hidden',
      );
      await seedReach(tx);
      return readContent(tx);
    });
    const reach = seeded.components.find((each) => each.component === 'reach');
    expect(reach?.state === 'present' && reach.rows.every((row) => row['scope'] === null)).toBe(true);
  });

  /** What a change of the tables reaches, old and new taken together. */
  async function reachAfter(sql: string) {
    const before = await content();
    const after = await estate.db.rehearse(RC, async (tx) => {
      await tx.script(sql);
      return readContent(tx);
    });
    return reachOfChanges(diffContent(before, after), before, after);
  }

  it('of a change is the old and the new reach', async () => {
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

    // A measurement that gets a row of its own reached what its law reaches, not everything.
    const own = await reachAfter(
      `insert into governance_rule_reach (rule_kind, rule_code, scope)
       select 'measurement', min(measurement_id), 'render' from measurement_registry where enabled and law_code = 'LAW-32'`,
    );
    expect(own).toMatchObject([{ everything: false, unmapped: false }]);
    expect(new Set(own[0]?.constraints.map((each) => each.scope))).toEqual(
      new Set(['approval', 'policy', 'render']),
    );
    // One that served no law was mapped by nobody: what it reached then was everything.
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
    expect(await reachAfter("insert into governance_setting values ('gate.x', '1', 'a test')")).toMatchObject(
      [{ everything: true }],
    );
    // What the gate does with its answers changes none of them.
    expect(
      await reachAfter(
        `update governance_setting set setting_value = '{"prod": "observe"}' where setting_key = 'gate.mode'`,
      ),
    ).toMatchObject([{ everything: false, constraints: [] }]);
    const gone = await reachAfter('alter table axis_registry rename to hidden');
    expect(gone[0]).toMatchObject({ everything: true, change: { of: 'state', change: 'removed' } });
  });

  it('in a ruleset is what it was then', async () => {
    const then: RulesetContent = await content();
    await host("delete from governance_rule_reach where rule_code = 'LAW-32'");
    expect(reachIn(then, [{ kind: 'law', code: 'LAW-32' }])).toMatchObject([{ everything: false }]);
    expect(reachIn(await content(), [{ kind: 'law', code: 'LAW-32' }])).toMatchObject([
      { everything: true, by: 'none' },
    ]);
  });
});

describe('drift', () => {
  let estate: Estate;
  let people: People;
  beforeAll(async () => {
    estate = await createEstate('installed');
    people = createPeople(estate.url);
  });
  afterAll(async () => {
    await people?.close();
    await estate?.close();
  });

  it('is a finding while the tables differ from what is in force, and resolves when they do not', async () => {
    const { rulesets, findings } = estate.gcos;
    expect(await rulesets.drift()).toMatchObject({ active: null, drifted: false });
    const { version } = await rulesets.draft();
    await activateNow(estate, people, version);
    expect(await rulesets.drift()).toMatchObject({ active: version, current: version, drifted: false });

    await asHost(
      estate.url,
      "update measurement_registry set severity = 'x' where measurement_id in ('MSR-001', 'MSR-002')",
    );
    const drift = await rulesets.drift();
    expect(drift).toMatchObject({ active: version, drifted: true });
    expect(drift.current).not.toBe(version);
    expect(drift.findings.raised).toMatchObject([
      { type: 'ruleset_drift', subject: 'governance', severity: 'high' },
    ]);
    const [open] = (await findings.list({ type: 'ruleset_drift', limit: 5 })).findings;
    expect((await findings.show(open?.code ?? '')).evidence).toMatchObject({
      facts: { active: version, current: drift.current, changes: { detectors: 2 } },
    });
    expect((await rulesets.drift()).findings).toMatchObject({ raised: [], repeated: 1 });
    // The signal of it waits for its type to be active.
    expect(
      await asHost(
        estate.url,
        "select event_type_hint from event_pending where event_type_hint = 'ruleset.drift'",
      ),
    ).toHaveLength(1);

    await asHost(estate.url, "update measurement_registry set severity = 'warning' where severity = 'x'");
    expect(await rulesets.drift()).toMatchObject({
      drifted: false,
      findings: { resolved: [{ type: 'ruleset_drift' }] },
    });
  });

  it('can be looked for with the rights of a worker, and nothing else can be written with them', async () => {
    const { url, gcos } = await people.login('worker', 'gcos_worker');
    expect((await gcos.rulesets.draft()).version).toMatch(/^gov-rs-/);
    expect(await gcos.rulesets.drift()).toMatchObject({ drifted: false });
    const denied = { code: '42501' };
    for (const sql of [
      "update governance_ruleset set status = 'active'",
      "insert into governance_rule_reach (rule_kind, rule_code) values ('law', 'x')",
      'delete from governance_rule_reach',
      'insert into governance_ruleset_activation overriding system value select * from governance_ruleset_activation',
    ])
      await expect(asHost(url, sql)).rejects.toMatchObject(denied);
    await expect(
      asHost(
        url,
        "select gcos_draft_ruleset('gov-rs-0', 'x', '{\"format\": \"other\"}', '{}', 'governance', null, 'info')",
      ),
    ).rejects.toMatchObject({ code: '22023' });
    // Nor can anybody keep something beside the rules that could not be shown again.
    const { provenance, content: rules } = await gcos.rulesets.draft({ dryRun: true });
    const odd = encodeContent({ ...rules, components: [] });
    const [part] = provenance.parts;
    for (const components of [
      {},
      { ...provenance, parts: [{ ...part, count: 1.5 }] },
      { ...provenance, parts: [{ ...part, component: 'other' }] },
      { ...provenance, parts: part },
      { ...provenance, law_codes: [1] },
      { ...provenance, absent: 'axes' },
      { ...provenance, reach_everything: { unmapped: [] } },
      { ...provenance, reach_everything: null },
    ]) {
      const call = `select gcos_draft_ruleset('${odd.version}', '${odd.hash}', '${odd.text}', $$${JSON.stringify(components)}$$, 'governance', null, 'info')`;
      await expect(asHost(url, call), JSON.stringify(components)).rejects.toMatchObject({ code: '22023' });
    }
    const reader = await people.login('reader', 'gcos_reader');
    expect((await reader.gcos.rulesets.list()).length).toBeGreaterThan(0);
    await expect(reader.gcos.rulesets.draft()).rejects.toMatchObject({ code: 'privilege_missing' });
  });

  it('finds nobody to answer for a ruleset where the host knows no such body', async () => {
    await asHost(estate.url, "update governance_registry set status = 'dormant' where code = 'GOV-COUNCIL'");
    await asHost(
      estate.url,
      "update measurement_registry set severity = 'y' where measurement_id = 'MSR-001'",
    );
    const draft = await estate.gcos.rulesets.draft();
    expect(draft.owner).toBeNull();
    await asHost(estate.url, "update governance_registry set status = 'active' where code = 'GOV-COUNCIL'");
    expect(await estate.gcos.rulesets.draft()).toMatchObject({ created: false, owner: 'GOV-COUNCIL' });
    expect(await estate.gcos.rulesets.show(draft.version)).toMatchObject({ owner: 'GOV-COUNCIL' });
  });
});
