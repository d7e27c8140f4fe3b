-- Checks that the inventory still has the fingerprints of snapshot {{snapshot}}. Returns one row per
-- inventory group that differs; no rows: all are equal. Reads tables of the host only: birth_registry,
-- and the registries of classes whose objects count one by one. A birth that was added, changed or
-- removed since the snapshot appears here, and so does a class whose assignment changed. Each row has two
-- chained hashes of the server's hash functions over id, code and governance columns. They are summed, so
-- that order does not matter, and multiplied by a hash of collection, species and status. A missing row
-- changes the sums, and so does a row counted twice.
with catalogue (collection_name, species_code, object_class, axis_family, inherits) as (
  {{catalogue}}
),
individual as (
  select distinct c.collection_name from catalogue c where not c.inherits
),
member (collection_name, code, status) as (
  {{members}}
),
expected (object_class, source_registry, axis_family, lifecycle_status, births, grain, max_id, max_born_at, h1, h2) as (
  {{expected}}
),
birth as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    null::text as member_status, b.id::bigint as id, b.born_at, b.entity_code::text as code, b.certified,
    b.governance_role::text as governance_role, false as is_first
  from {{schema}}.birth_registry b
  where b.collection_name::text not in (select i.collection_name from individual i)
    and b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null
  union all
  select b.collection_name::text, b.species_code::text, b.status::text, m.status, b.id::bigint, b.born_at, b.entity_code::text,
    b.certified, b.governance_role::text, row_number() over (partition by b.collection_name, b.entity_code order by b.id) = 1
  from {{schema}}.birth_registry b
  left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
  where b.collection_name::text in (select i.collection_name from individual i)
    and b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null
),
hashed as (
  select b.collection_name, b.species_code, b.status, b.member_status, b.id, b.born_at, b.is_first,
    case
      when b.governance_role is null then hashint8extended(-1, c.h)
      else hashtextextended(b.governance_role collate "C", c.h)
    end as h1,
    hashtextextended(b.code collate "C", hashint8extended(b.id, 6152914691236517205 + d.stretch)) as h2
  from birth b
  -- hashint8extended folds 64 bits onto 32. The seed therefore includes the number of the 2^32 range that
  -- contains the id.
  cross join lateral (select (b.id >> 32) + ((b.id >> 31) & 1) as stretch) as d
  cross join lateral (
    select hashtextextended(b.code collate "C", hashint8extended(b.id, d.stretch
      + case when b.certified then 4703202606014703 when not b.certified then 1703202606014703 else 2703202606014703 end)) as h
  ) as c
),
summed as (
  select h.collection_name, h.species_code, h.status, h.member_status, count(*) as births, count(*) filter (where h.is_first) as firsts,
    max(h.id) as max_id, max(h.born_at) as max_born_at, sum(h.h1) as h1, sum(h.h2) as h2
  from hashed h
  group by h.collection_name, h.species_code, h.status, h.member_status
),
multiplied as (
  select n.collection_name, n.species_code, n.status, n.member_status, n.births, n.firsts, n.max_id, n.max_born_at, n.h1 * f.h1 as h1,
    n.h2 * f.h2 as h2
  from summed n
  cross join lateral (
    select hashtextextended(n.collection_name collate "C", 4703202606014703) as h1,
      hashtextextended(n.collection_name collate "C", 6152914691236517205) as h2
  ) as f0
  cross join lateral (
    select
      case when n.species_code is null then hashint8extended(-1, f0.h1) else hashtextextended(n.species_code collate "C", f0.h1) end as h1,
      case when n.species_code is null then hashint8extended(-1, f0.h2) else hashtextextended(n.species_code collate "C", f0.h2) end as h2
  ) as f1
  cross join lateral (
    select
      case when n.status is null then hashint8extended(-1, f1.h1) else hashtextextended(n.status collate "C", f1.h1) end::numeric as h1,
      case when n.status is null then hashint8extended(-1, f1.h2) else hashtextextended(n.status collate "C", f1.h2) end::numeric as h2
  ) as f
),
found as (
  select p.object_class, p.source_registry, p.axis_family, p.lifecycle_status, sum(n.births)::bigint as births,
    case when p.inherits then 1 else sum(n.firsts)::bigint end as grain, max(n.max_id) as max_id, max(n.max_born_at) as max_born_at,
    sum(n.h1) as h1, sum(n.h2) as h2
  from multiplied n
{{place}}
  group by p.object_class, p.source_registry, p.axis_family, p.lifecycle_status, p.inherits
)
select coalesce(e.object_class, f.object_class) as object_class, coalesce(e.source_registry, f.source_registry) as source_registry,
  coalesce(e.axis_family, f.axis_family) as axis_family, coalesce(e.lifecycle_status, f.lifecycle_status) as lifecycle_status,
  coalesce(e.births, 0) as births_expected, coalesce(f.births, 0) as births_found, coalesce(e.grain, 0) as grain_expected,
  coalesce(f.grain, 0) as grain_found, e.max_id as max_id_expected, f.max_id as max_id_found, e.max_born_at as max_born_at_expected,
  f.max_born_at as max_born_at_found, e.h1 as h1_expected, f.h1 as h1_found, e.h2 as h2_expected, f.h2 as h2_found
from expected e
full join found f on jsonb_build_array(e.object_class, e.source_registry, e.axis_family, e.lifecycle_status)
  = jsonb_build_array(f.object_class, f.source_registry, f.axis_family, f.lifecycle_status)
where (e.births, e.grain, e.max_id, e.max_born_at, e.h1, e.h2) is distinct from (f.births, f.grain, f.max_id, f.max_born_at, f.h1, f.h2)
order by 2, 1, 3, 4;
