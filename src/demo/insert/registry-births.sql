-- The members of every registry with their references, and their births, with the first ids.
create temporary table pg_temp.estate_member on commit drop as
with with_own_references (collection_name, code, approval_ref, audit_ref, rollback_ref, law_ref, design_ref) as (
  select 'dot_tools', dot_code, approval_ref, audit_ref, rollback_ref, law_ref, design_ref from dot_tools
  union all
  select 'route_registry', route_code, approval_ref, audit_ref, rollback_ref, 'LAW-36', 'GD-004' from route_registry
  union all
  select 'policy_registry', policy_code, approval_ref, audit_ref, 'GD-010', law_ref, 'GD-007' from policy_registry
  union all
  select 'exception_registry', exception_code, approval_ref, 'registry_changelog/5', 'GD-010', 'LAW-33', 'GD-007'
  from exception_registry
  union all
  select 'information_unit', unit_id, 'APR-0003', 'registry_changelog/6', 'GD-010', law_ref, design_ref
  from information_unit
),
without_references (collection_name, number, law_ref, design_ref, code, owned) as (
  select 'universal_rule_registry', 4, 'LAW-40', 'GD-001', rule_code, owner_gov_code is not null
  from universal_rule_registry
  union all
  select 'axis_registry', 5, 'LAW-30', 'GD-006', axis_code, owner_gov_code is not null from axis_registry
  union all
  select 'pivot_definitions', 6, 'LAW-30', 'GD-006', code, true from pivot_definitions
  union all
  select 'governance_registry', 1, 'LAW-01', 'GD-001', code, true from governance_registry
  union all
  select 'normative_registry', 1, 'LAW-01', 'GD-001', law_code, true from normative_registry
  union all
  select 'law_catalog', 1, 'LAW-01', 'GD-001', code, true from law_catalog
  union all
  select 'governance_docs', 1, 'LAW-01', 'GD-001', doc_code, true from governance_docs
  union all
  select 'law_jurisdiction', 1, 'LAW-01', 'GD-001', code, true from law_jurisdiction
  union all
  select 'event_type_registry', 9, 'LAW-45', 'GD-005', code, true from event_type_registry
  union all
  select 'measurement_registry', 10, 'LAW-31', 'GD-009', measurement_id, true from measurement_registry
  union all
  select 'derived_objects_registry', 11, 'LAW-39', 'GD-001', code, true from derived_objects_registry
  union all
  select 'table_registry', 12, 'LAW-28', 'GD-002', table_code, true from table_registry
  union all
  select 'binding_registry', 12, 'LAW-29', 'GD-002', binding_code, true from binding_registry
),
member as (
  select collection_name, code, true as owned, approval_ref, audit_ref, rollback_ref, law_ref, design_ref
  from with_own_references
  union all
  select collection_name, code, owned, 'APR-' || lpad(number::text, 4, '0'), 'registry_changelog/' || number,
    'GD-010', law_ref, design_ref
  from without_references
)
select
  r.ordinal, m.collection_name,
  case when own.table_name is null then c.object_class else 'governance_record' end as object_class,
  case when own.table_name is null then r.species_code else 'SP-RECORD' end as species_code, c.role, r.certified, m.code, m.owned,
  m.approval_ref, m.audit_ref, m.rollback_ref, m.law_ref, m.design_ref,
  m.code = any (r.never_born) as never_born
from member m
join pg_temp.estate_registry r using (collection_name)
join pg_temp.estate_collection c using (collection_name)
left join pg_temp.estate_record own on m.collection_name = 'table_registry' and own.table_name = m.code;

insert into birth_registry (
  id, entity_code, collection_name, species_code, composition_level, dot_origin, born_at, governance_role, certified,
  certified_at, status)
select
  position, code, collection_name, species_code, 'atom', 'DOT-001', born_at, role, certified,
  case when certified then born_at + interval '2 days' end,
  -- Ten tools are retired: for five, both birth_registry and their registry record it; for five, only their
  -- registry.
  case when collection_name = 'dot_tools' and code between 'DOT-280' and 'DOT-284' then 'retired' else 'born' end
from (
  select *, timestamptz '2026-02-17 00:00:05.000131+00' + position * interval '17.000131 seconds' as born_at
  from (
    select *, row_number() over (order by ordinal, code collate "C") as position
    from pg_temp.estate_member
    where not never_born
  ) as counted
) as member;
