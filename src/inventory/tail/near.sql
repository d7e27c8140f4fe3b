-- use: ./births.sql

-- name: nearRuns
-- Rows above the highest id seen, :max_id, and rows in gaps: certainly new, lowest ids first, through the
-- primary key, as runs of consecutive ids. The inner limits keep the planner on the key even when it
-- overestimates the width of a gap.
-- nullable: gap_first, gap_last, :max_id
with n as (
  select a.id, null::bigint as gap_first, null::bigint as gap_last
  from (
    select b.id::bigint as id
    from birth_registry b
    where (:max_id::bigint is null or b.id > :max_id::bigint) and {{keyed}}
    order by b.id
    limit :limit::bigint
  ) as a
  union all
  select a.id, g.first_id, g.last_id
  from gov_intake_gap g
  cross join lateral (
    select b.id::bigint as id
    from birth_registry b
    where b.id >= g.first_id and b.id <= g.last_id and {{keyed}}
    order by b.id
    limit :limit::bigint
  ) as a
  where g.source = :source::text
),
numbered as (
  select n.id, n.gap_first, n.gap_last, row_number() over (order by n.id) as no
  from n
  order by n.id
  limit :limit::bigint
)
select min(m.id) as first_id, max(m.id) as last_id, m.gap_first, m.gap_last
from numbered m
group by m.gap_first, m.gap_last, m.id - m.no
order by first_id

-- name: nearSums
-- Sums of the births that a near round reads, except for the collections :collections, whose rows are
-- processed one by one. Births that GCOS caused itself are included, and `own` counts them.
-- nullable: species_code, status, :first, :last
with n as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    count(*) as births, count(*) filter (where {{own_birth}}) as own, max(b.id)::bigint as max_id, max(b.born_at) as max_born_at,
    sum(r.h1) as h1, sum(r.h2) as h2
  from (
    {{near_births}}
  ) as b
  {{row_hash}}
  where b.collection_name <> all (:collections::text[])
  group by b.collection_name, b.species_code, b.status
)
select n.collection_name, n.species_code, n.status, n.births, n.own, n.max_id, n.max_born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}

-- name: nearRows
-- The births that a near round reads in the collections :collections, lowest ids first, at most :limit;
-- ages count from :next_xid.
-- nullable: species_code, status, :first, :last
with n as (
  select b.id::bigint as id, b.collection_name::text as collection_name, b.entity_code::text as code,
    b.species_code::text as species_code, b.status::text as status, b.born_at, b.row_age, r.h1, r.h2
  from (
    {{near_births}}
  ) as b
  {{row_hash}}
  where b.collection_name = any (:collections::text[])
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, :next_xid::bigint - n.row_age as xid, n.h1 * f.h1 as h1,
  n.h2 * f.h2 as h2
from n
{{name_factor}}
order by n.id
limit :limit::bigint

-- name: insertSeenNear
-- All births that a near round reads; ages count from :next_xid.
-- nullable: :first, :last
insert into gov_intake_seen (source, id, xid)
select :source::text, b.id, :next_xid::bigint - b.row_age
from (
  {{near_births}}
) as b
order by b.id
on conflict do nothing
