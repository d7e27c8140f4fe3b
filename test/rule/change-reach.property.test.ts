// The groups that the database marks at an activation are those that the plan shows: the reach of a change of
// rules, derived in SQL from the stored rulesets, equals the reach that the plan derives.
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { contentOf, diffContent, reachOfChanges } from '../../src/rule/ruleset/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { from, SCOPES } from '../support/history.js';
import { holds } from '../support/property.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

const detector = (n: number) =>
  `(select measurement_id from measurement_registry order by md5(measurement_id || '${n}') limit 1)`;
const law = (n: number) =>
  `(select law_code from measurement_registry order by md5(law_code || '${n}') limit 1)`;
const profile = (n: number) =>
  `(select profile_code from coverage_profile order by md5(profile_code || '${n}') limit 1)`;
const REGISTRIES = ['orders', 'dot_tools', 'articles', 'venues'];
const FAMILIES = ['topic', 'channel', 'nowhere'];

/** Changes of every component; `n` selects the row. */
const EDITS = {
  enabled: (n) =>
    `update measurement_registry set enabled = not enabled where measurement_id = ${detector(n)}`,
  query: (n) =>
    `update measurement_registry set source_query = 'select ${n}' where measurement_id = ${detector(n)}`,
  otherLaw: (n) =>
    `update measurement_registry set law_code = ${law(n + 1)} where measurement_id = ${detector(n)}`,
  risk: (n) =>
    `update coverage_profile set risk_class = '${from(['write_high', 'write_low', 'read'], n)}' where profile_code = ${profile(n)}`,
  pattern: (n) =>
    `update coverage_profile p set class_pattern = '${from(['%', 'ord%', '_rder', 'no\\', 'dot_tool'], n)}' where p.profile_code = ${profile(n)}
     and not exists (select from coverage_profile o where o.class_pattern = '${from(['%', 'ord%', '_rder', 'no\\', 'dot_tool'], n)}')`,
  profileEnds: (n) =>
    `update coverage_profile set status = case when status = 'active' then 'retired' else 'active' end where profile_code = ${profile(n)}`,
  axis: (n) =>
    `update axis_registry set status = case when status = 'active' then 'retired' else 'active' end
     where axis_code = (select axis_code from axis_registry order by md5(axis_code || '${n}') limit 1)`,
  axisClass: (n) =>
    `update axis_registry set object_class = ${from(["'order'", 'null', "'dot_tool'"], n)}
     where axis_code = (select axis_code from axis_registry order by md5(axis_code || '${n}') limit 1)`,
  pivot: (n) =>
    `insert into pivot_definitions (code, name, object_class, source_collection, group_spec)
     values ('P-${n % 5}', 'x', ${from(["'order'", 'null'], n)}, ${from(["'orders'", 'null', 'null'], n)}, '{"dims": ["d${n}"]}')
     on conflict (code) do update set object_class = excluded.object_class, source_collection = excluded.source_collection,
       group_spec = excluded.group_spec, status = '${from(['active', 'retired'], n >> 2)}'`,
  jurisdiction: (n) =>
    `update law_jurisdiction set coverage_type = 'c${n}' where code = (select code from law_jurisdiction order by md5(code || '${n}') limit 1)`,
  jurisdictionEnds: (n) =>
    `delete from law_jurisdiction where code = (select code from law_jurisdiction order by md5(code || '${n}') limit 1)`,
  scope: (n) =>
    `update governance_responsibility_scope set status = case when status = 'active' then 'retired' else 'active' end where scope_code = '${from(SCOPES, n)}'`,
  reachOfLaw: (n) =>
    `insert into governance_rule_reach (rule_kind, rule_code, scope, axis_family, source_registry)
     values ('law', ${law(n)}, ${from([`'${from(SCOPES, n)}'`, 'null'], n)}, ${from(['null', `'${from(FAMILIES, n)}'`], n >> 1)}, ${from(['null', `'${from(REGISTRIES, n)}'`], n >> 2)})
     on conflict do nothing`,
  reachOfDetector: (n) =>
    `insert into governance_rule_reach (rule_kind, rule_code, scope, source_registry)
     values ('measurement', ${from([detector(n), "'MSR-GONE'"], n)}, '${from(SCOPES, n)}', ${from(['null', `'${from(REGISTRIES, n)}'`], n >> 2)})
     on conflict do nothing`,
  reachEnds: (n) =>
    `delete from governance_rule_reach where id = (select id from governance_rule_reach order by md5(id || '${n}') limit 1)`,
  gate: (n) =>
    `update governance_setting set setting_value = setting_value || '{"high_minutes": ${n + 1}}' where setting_key = 'gate.max_unwatched'`,
  limits: (n) =>
    `update governance_setting set setting_value = setting_value || '{"code_length": ${n + 20}}' where setting_key = 'input.limits'`,
  unreadable: () =>
    `do $$ begin
       if exists (select from pg_attribute where attrelid = 'governance_responsibility_scope'::regclass and attname = 'default_owner_hint') then
         alter table governance_responsibility_scope rename default_owner_hint to elsewhere;
       else
         alter table governance_responsibility_scope rename elsewhere to default_owner_hint;
       end if;
     end $$`,
} satisfies Record<string, (n: number) => string>;
type Edit = readonly [kind: keyof typeof EDITS, n: number];
const KINDS = Object.keys(EDITS) as readonly (keyof typeof EDITS)[];

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('judged');
});
afterAll(() => estate?.close());

/** SQL LIKE, without an escape character. */
const isLike = (text: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
    'su',
  ).test(text);

/** The reached groups between two stored versions, by the plan's derivation. */
async function reachedByPlan(fromVersion: string, toVersion: string): Promise<string[]> {
  const [before, after] = await estate.db.transaction(READ_ONLY, async (tx) => [
    await contentOf(tx, fromVersion),
    await contentOf(tx, toVersion),
  ]);
  if (before === undefined || after === undefined) throw new Error('no content');
  const reaches = reachOfChanges(diffContent(before, after), before, after);
  const groups = await asHost(
    estate.url,
    'select g.inventory_key, g.scope, i.axis_family, i.source_registry, i.object_class from governance_group g join governance_inventory i using (inventory_key)',
  );
  return groups
    .filter((group) =>
      reaches.some(
        ({ everything, constraints }) =>
          everything ||
          constraints.some(
            (each) =>
              (each.scope === null || each.scope === group['scope'] || group['scope'] === 'all') &&
              (each.axisFamily === null || each.axisFamily === group['axis_family']) &&
              (each.sourceRegistry === null || each.sourceRegistry === group['source_registry']) &&
              (each.classPattern === null || isLike(String(group['object_class']), each.classPattern)),
          ),
      ),
    )
    .map((group) => JSON.stringify([group['inventory_key'], group['scope']]))
    .sort();
}

const SOME = { reached: 0, missed: 0 };
holds<readonly Edit[]>('the database reaches the groups that the plan reaches', {
  cases: fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(10_000)), { minLength: 1, maxLength: 2 }),
  check: async (edits) => {
    const { version: before } = await estate.gcos.rulesets.draft();
    for (const [kind, n] of edits) await asHost(estate.url, EDITS[kind](n));
    const { version: after } = await estate.gcos.rulesets.draft();
    if (after === before) return 0;
    const rows = await asHost(
      estate.url,
      `select inventory_key, scope, (select count(*)::int from governance_group) as total from gcos_reached_groups('${before}', '${after}')`,
    );
    const reached = rows.map((row) => JSON.stringify([row['inventory_key'], row['scope']])).sort();
    expect(reached).toEqual(await reachedByPlan(before, after));
    if (rows.length > 0 && rows.length < Number(rows[0]?.['total'])) SOME.reached += 1;
    if (rows.length === 0) SOME.missed += 1;
    return 1;
  },
  seeds: [2_026],
  runs: 50,
  // Some changes reach a part of the groups, others none: a derivation that reaches everything would not
  // pass.
  after: () => {
    expect(SOME.reached).toBeGreaterThan(5);
    expect(SOME.missed).toBeGreaterThan(0);
  },
});
