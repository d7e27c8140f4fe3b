-- Adds partial sums to running fingerprints. The one statement that does; what it adds must not have been counted before. Groups
-- of $8 are new and begin at zero; one that was known and never computed stays marked. Locked in the order of keys.
with part as (
  select p.inventory_key, sum(p.members)::bigint as members, sum(p.grain)::bigint as grain, max(p.max_born_at) as max_born_at,
    max(p.max_id) as max_id, sum(p.h1::numeric) as h1, sum(p.h2::numeric) as h2
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::text[], $7::text[])
    as p(inventory_key, members, grain, max_born_at, max_id, h1, h2)
  group by p.inventory_key
),
own as (
  select i.inventory_key
  from governance_inventory i
  join part p on p.inventory_key = i.inventory_key
  order by i.inventory_key collate "C"
  for no key update of i
)
update governance_inventory i
set member_count = coalesce(i.member_count, 0) + p.members,
  grain_count = case when i.inherits then 1 else coalesce(i.grain_count, 0) + p.grain end,
  max_born_at = greatest(i.max_born_at, p.max_born_at),
  max_id = greatest(i.max_id, p.max_id),
  h1 = coalesce(i.h1, 0) + p.h1,
  h2 = coalesce(i.h2, 0) + p.h2,
  recompute_needed = i.recompute_needed and (i.member_count is not null or i.inventory_key <> all ($8::text[]))
from part p
join own o on o.inventory_key = p.inventory_key
where i.inventory_key = p.inventory_key
returning i.inventory_key
