-- Births that GCOS could not process and that therefore have no row, and births without a key. They count as
-- unverified.
failed as (
  select s.scope, p.object_class, p.source_registry, p.axis_family, p.lifecycle_status, count(*) as units,
    sum(hashtextextended(n.code collate "C", 0)) as keys
  from (
    select distinct b.id, b.collection_name::text as collection_name, b.entity_code::text as code, b.species_code::text as species_code,
      b.status::text as status, m.status as member_status
    from {{schema}}.gov_worker_retry r
    join {{schema}}.birth_registry b
      on b.id = case when r.failed_ref ~ '^-?[0-9]{1,18}$' then r.failed_ref::bigint end
    left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
    where r.completed_at is null and r.failed_table = 'birth_registry' and b.collection_name::text in (select i.collection_name from individual i)
      and not exists (
        select from {{schema}}.birth_registry a
        where a.collection_name = b.collection_name and a.entity_code = b.entity_code and a.id < b.id)
  ) n
{{place}}
  cross join expected_scope s
  where not p.inherits
    and not exists (
      select from {{schema}}.governance_candidate_object o
      where o.collection_name = n.collection_name and o.entity_code = n.code and o.scope = s.scope and o.row_state = 'active')
  group by s.scope, p.object_class, p.source_registry, p.axis_family, p.lifecycle_status
  union all
  select s.scope, 'without_key', 'birth_registry', null, null, k.units, 0
  from keyless k
  cross join expected_scope s
  where k.units > 0
)
