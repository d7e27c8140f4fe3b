-- The catalogue at the time of the export: class, axis, and whether members inherit from their container.
catalogue (collection_name, species_code, object_class, axis_family, inherits) as (
  {{catalogue}}
),
-- Collections whose objects count one by one.
individual as (
  select distinct c.collection_name from catalogue c where not c.inherits
),
-- The members listed in the registries of such classes.
member (collection_name, code, status) as (
  {{members}}
),
container as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    null::text as member_status
  from {{schema}}.birth_registry b
  where b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null
  group by b.collection_name, b.species_code, b.status
),
-- Births that lack a column by which GCOS counts. They are in no group.
keyless as (
  select count(*) as units from {{schema}}.birth_registry b
  where not (b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null)
),
-- Each key once, with its first birth.
born as (
  select f.collection_name, f.species_code, f.status, m.status as member_status, f.code
  from (
    select distinct on (b.collection_name, b.entity_code) b.collection_name::text as collection_name, b.entity_code::text as code,
      b.species_code::text as species_code, b.status::text as status
    from {{schema}}.birth_registry b
    where b.collection_name::text in (select i.collection_name from individual i)
      and b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null
    order by b.collection_name, b.entity_code, b.id
  ) f
  left join member m on m.collection_name = f.collection_name and m.code = f.code
),
unborn as (
  select m.collection_name, null::text as species_code, null::text as status, m.status as member_status, m.code
  from member m
  left join (
    select distinct b.collection_name::text as collection_name, b.entity_code::text as code
    from {{schema}}.birth_registry b
    where b.collection_name::text in (select i.collection_name from individual i)
  ) b on b.collection_name = m.collection_name and b.code = m.code
  where m.code is not null and b.code is null
),
-- The inventory at the grain: a container counts once, however many members it has; otherwise each key
-- counts, with a hash of it.
there as (
  select p.object_class, p.source_registry, p.axis_family, p.lifecycle_status, 1::bigint as units, 0::numeric as keys
  from container n
{{place}}
  where p.inherits
  group by p.object_class, p.source_registry, p.axis_family, p.lifecycle_status
  union all
  select p.object_class, p.source_registry, p.axis_family, p.lifecycle_status, count(*), sum(hashtextextended(n.code collate "C", 0))
  from (
    select o.collection_name, o.species_code, o.status, o.member_status, o.code from born o
    union all
    select u.collection_name, u.species_code, u.status, u.member_status, u.code from unborn u
  ) n
{{place}}
  where not p.inherits
  group by p.object_class, p.source_registry, p.axis_family, p.lifecycle_status
  union all
  select 'without_key', 'birth_registry', null, null, k.units, 0 from keyless k where k.units > 0
)
