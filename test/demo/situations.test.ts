// The situations that the demo estate must contain; docs/demo-estate.md describes them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { TEMPLATE_ROWS as ROWS } from '../support/templates.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('host');
});
afterAll(() => estate?.close());

type Situation = readonly [name: string, sql: string, expected?: number];

/** The name of a situation, a query that counts it, and the count if it is exact. */
const situations: readonly Situation[] = [
  ['78 collections', 'select count(distinct collection_name) from birth_registry', 78],
  ['39 species', 'select count(distinct species_code) from birth_registry', 39],
  ['ids without gaps', 'select max(id) - min(id) + 1 from birth_registry', ROWS],
  ['no canonical address', 'select count(canonical_address) from birth_registry', 0],
  [
    'births outside the time span',
    `select count(*) from birth_registry where born_at not between '2026-02-17' and '2026-06-02'`,
    2,
  ],
  [
    'microseconds',
    `select count(*) from birth_registry where extract(microseconds from born_at)::int % 1000 <> 0`,
  ],
  ['enabled measurements', 'select count(*) from measurement_registry where enabled', 140],
  ['no issue of GCOS', `select count(*) from system_issues where code like 'GCOS-%'`, 0],
  ['no governance events', `select count(*) from event_type_registry where event_domain = 'governance'`, 0],
  [
    'A-99123',
    `select count(*) from birth_registry where collection_name = 'articles' and entity_code = 'A-99123'`,
    1,
  ],
  [
    'DOT-117 has every link but approval',
    `select count(*) from dot_tools t join birth_registry b on b.collection_name = 'dot_tools' and b.entity_code = dot_code
     where dot_code = 'DOT-117' and t.status = 'active' and approval_ref is null and audit_ref is not null
       and rollback_ref is not null and law_ref is not null and authority_ref is not null and heartbeat_ref is not null`,
    1,
  ],
  [
    'DOT-117 is owned in five scopes, without an approval',
    `select count(*) from governance_object_ownership
     where object_type = 'dot_tool' and object_ref = 'DOT-117' and approval_ref is null`,
    5,
  ],
  [
    'a tool has no axis',
    `select (select count(*) from axis_registry where coalesce(object_class, 'dot_tool') = 'dot_tool')
       + (select count(*) from pivot_definitions where coalesce(object_class, 'dot_tool') = 'dot_tool')`,
    0,
  ],
  [
    'anchors',
    `select count(distinct object_ref) from governance_object_ownership where is_inherited_anchor and lifecycle_status = 'active'`,
  ],
  [
    'required collections without an owner',
    `select count(distinct collection_name) from birth_registry join collection_registry c using (collection_name)
     where coverage_status = 'BIRTH_REQUIRED' and collection_name in ('venues', 'campaigns', 'devices', 'field_notes', 'glossary_terms')
       and not exists (select from governance_object_ownership o where o.object_ref = c.collection_name and o.lifecycle_status = 'active')`,
    5,
  ],
  [
    'collections owned in some scopes only',
    `select count(*) from (
       select object_ref from governance_object_ownership
       where is_inherited_anchor and owner_kind = 'accountable' and lifecycle_status = 'active' and object_ref <> 'retired_portal'
       group by object_ref having count(distinct scope) < 6) as partly`,
    4,
  ],
  [
    'one ownership conflict',
    `select count(*) from (
       select from governance_object_ownership where owner_kind = 'accountable' and lifecycle_status = 'active'
       group by object_type, object_ref, scope having count(*) > 1) as conflict`,
    1,
  ],
  [
    'class-0 collections with births',
    `select count(distinct b.collection_name) from birth_registry b
     join meta_catalog m using (collection_name) join coverage_profile p on p.class_pattern = m.entity_type where p.class_0`,
    2,
  ],
  [
    'a class-0 object in use',
    `select count(*) from governance_object_ownership where object_type = 'saved_view'`,
    1,
  ],
  ...(
    [
      ['USER_EXCLUDED', 'BIRTH_DEFERRED_NEEDS_REVIEW', 4],
      ['FUTURE_SCOPE', 'BIRTH_DEFERRED_NEEDS_REVIEW', 2],
      ['ORPHAN_REGISTRY', 'BIRTH_DEFERRED_NEEDS_REVIEW', 2],
      ['IN_SCOPE', 'BIRTH_DEFERRED_NEEDS_REVIEW', 2],
      ['IN_SCOPE', 'BIRTH_EXEMPT_STRUCTURAL_JUNCTION', 1],
      ['IN_SCOPE', 'BIRTH_EXEMPT_SYSTEM_LOG_OR_AUDIT', 2],
      ['IN_SCOPE', 'BIRTH_EXEMPT_DERIVED_CACHE', 1],
    ] as const
  ).map(
    ([scope, status, collections]) =>
      [
        `${status}/${scope} with births`,
        `select count(distinct collection_name) from birth_registry join collection_registry using (collection_name)
         where coverage_status = '${status}' and coverage_scope_status = '${scope}'`,
        collections,
      ] as const,
  ),
  ['retired births', `select count(*) from birth_registry where status = 'retired'`],
  ['superseded births', `select count(*) from birth_registry where status = 'superseded'`],
  ['merged births', `select count(*) from birth_registry where status = 'merged'`],
  ['retired members', `select count(*) from dot_tools where status = 'retired'`, 10],
  ['superseded members', `select count(*) from dot_tools where status = 'superseded'`, 5],
  [
    'undeclared axes in use',
    `select count(*) from pivot_definitions, jsonb_array_elements_text(group_spec -> 'dims') as dim
     where dim not in (select axis_family from axis_registry)`,
    2,
  ],
  [
    'an axis without owner',
    `select count(*) from axis_registry a where owner_gov_code is null
       and not exists (select from governance_object_ownership where object_type = 'axis' and object_ref = axis_code)`,
    1,
  ],
  [
    'a born class without profile',
    `select count(*) from meta_catalog m where entity_type = 'glossary_term'
       and not exists (select from coverage_profile where m.entity_type like class_pattern)`,
    1,
  ],
  [
    'catalogued registries that do not exist',
    'select count(*) from meta_catalog where registry_collection is not null and to_regclass(registry_collection) is null',
    2,
  ],
  [
    'born collections that the catalogue does not name',
    `select count(distinct collection_name) from birth_registry b
     where not exists (select from meta_catalog m where b.collection_name in (m.registry_collection, m.collection_name))`,
    4,
  ],
  [
    'collections of two classes',
    'select count(*) from (select from meta_catalog where collection_name is not null group by collection_name having count(*) > 1) as two',
    3,
  ],
  [
    'tables of GCOS that are governed themselves',
    `select count(distinct (b.entity_code)) from birth_registry b
     join table_registry t on t.table_code = b.entity_code
     join governance_object_ownership o on o.object_type = 'governance_record' and o.object_ref = b.entity_code
     where b.collection_name = 'table_registry' and b.species_code = 'SP-RECORD'`,
    11,
  ],
  [
    'duties of its worker, run by its tool',
    `select count(*) from route_registry r join dot_tools t on t.dot_code = r.executor_dot
     where r.path like '/gcos/worker/%' and t.name = 'gcos worker'`,
    6,
  ],
  [
    'an expired delegation',
    `select count(*) from governance_object_ownership
     where owner_kind = 'delegated' and lifecycle_status = 'active' and effective_to < '2026-06-01'`,
    1,
  ],
  [
    'an anchor without approval',
    'select count(*) from governance_object_ownership where is_inherited_anchor and approval_ref is null',
    1,
  ],
  [
    'references to nothing',
    `select count(*) from governance_object_ownership o
     where case object_type
       when 'collection' then not exists (select from birth_registry where collection_name = object_ref)
       when 'class' then not exists (select from meta_catalog where entity_type = object_ref)
       else not exists (
         select from birth_registry b join meta_catalog m using (collection_name)
         where m.entity_type = object_type and b.entity_code = object_ref)
     end`,
    3,
  ],
  ['an untrusted source', `select count(*) from birth_registry where dot_origin = 'FEED-UNVERIFIED'`],
  ['control characters', `select count(*) from birth_registry where entity_code ~ '[\\x01-\\x1f]'`, 3],
  ['very long codes', 'select count(*) from birth_registry where length(entity_code) > 2000', 2],
  ['an empty code', `select count(*) from birth_registry where entity_code = ''`, 1],
  [
    'colons',
    `select count(*) from birth_registry where entity_code like '%:%' and collection_name = 'articles'`,
    2,
  ],
  [
    'slashes',
    `select count(*) from birth_registry where entity_code like '%/%' and collection_name = 'articles'`,
    2,
  ],
  [
    'two keys that are equal when joined',
    `select count(*) from (select from birth_registry where entity_code ~ '[:/]' or collection_name ~ ':'
       group by collection_name || ':' || entity_code having count(distinct collection_name) > 1) as alike`,
    1,
  ],
  [
    'one code in two collections',
    `select count(distinct collection_name) from birth_registry where entity_code = 'SHARED-0001'`,
    2,
  ],
  [
    'keys born more than once',
    'select count(*) from (select from birth_registry group by collection_name, entity_code having count(*) > 1) as twice',
    3,
  ],
  [
    'a key born as two species',
    `select count(distinct species_code) from birth_registry where collection_name = 'customers' and entity_code = 'CU-000001'`,
    2,
  ],
  ['born in 1970', `select count(*) from birth_registry where born_at < '1971-01-01'`, 1],
  ['born in 2999', `select count(*) from birth_registry where born_at > '2999-01-01'`, 1],
  ['no species', 'select count(*) from birth_registry where species_code is null', 3],
  [
    'members never born',
    `select (select count(*) from dot_tools where not exists (
         select from birth_registry where collection_name = 'dot_tools' and entity_code = dot_code))
       + (select count(*) from route_registry where not exists (
         select from birth_registry where collection_name = 'route_registry' and entity_code = route_code))`,
    5,
  ],
  [
    'routes run by a tool without authority',
    'select count(*) from route_registry join dot_tools on dot_code = executor_dot where authority_ref is null',
    2,
  ],
  [
    'jobs born by a tool without authority',
    `select count(*) from birth_registry join dot_tools on dot_code = dot_origin
     where collection_name = 'publishing_jobs' and authority_ref is null`,
  ],
  [
    'owners that are not registered',
    `select count(distinct object_ref) from governance_object_ownership
     where owner_gov_code not in (select code from governance_registry)`,
    3,
  ],
  [
    'classification rules without an owner',
    `select count(*) from universal_rule_registry where rule_kind = 'classification' and status = 'active'
       and owner_gov_code is null and not exists (
         select from governance_object_ownership where object_type = 'rule' and object_ref = rule_code)`,
    3,
  ],
  ['profiles by pattern', `select count(*) from coverage_profile where class_pattern like '%\\%%'`],
  [
    'changes outside their declared path',
    `select count(*) from registry_changelog where action = 'direct_update'`,
    3,
  ],
  [
    'unmapped laws in use',
    'select count(distinct law_code) from measurement_registry where law_code not in (select law_code from law_jurisdiction)',
    2,
  ],
  [
    'an exception without an approval',
    'select count(*) from exception_registry where approval_ref is null',
    1,
  ],
  [
    'routes whose signal would be held',
    `select count(*) from route_registry where not exists (
       select from event_type_registry where code = issue_event_ref and active)`,
    2,
  ],
];

describe('the demo estate contains', () => {
  const counted = new Map<string, number>();

  beforeAll(async () => {
    const parts = situations.map(([, sql], index) => `select ${index} as position, (${sql})::int as found`);
    for (const row of await asHost(estate.url, parts.join(' union all '))) {
      counted.set(situations[Number(row['position'])]?.[0] ?? '', Number(row['found']));
    }
  });

  test.each(situations.map(([name, , expected]) => ({ name, expected })))('$name', ({ name, expected }) => {
    if (expected === undefined) expect(counted.get(name)).toBeGreaterThan(0);
    else expect(counted.get(name)).toBe(expected);
  });

  test('measurements that can all be evaluated', async () => {
    const rows = await asHost(estate.url, 'select source_query, target_query from measurement_registry');
    const queries = rows.flatMap((row) => [String(row['source_query']), String(row['target_query'])]);
    expect(queries).toHaveLength(284);
    const values = queries.map((query) => `(${query})::bigint`).join(', ');
    const [taken] = await asHost(estate.url, `begin read only; select array[${values}] as taken`);
    expect(taken?.['taken']).toHaveLength(284);
    expect(taken?.['taken']).not.toContain(null);
  });
});
