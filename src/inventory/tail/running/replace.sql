-- Puts one aggregate in the place of all running fingerprints; a group it does not have is empty. Returns what changed.
with truth as (
  select t.inventory_key, t.members, t.grain, t.max_born_at, t.max_id, t.h1::numeric as h1, t.h2::numeric as h2
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::text[], $7::text[])
    as t(inventory_key, members, grain, max_born_at, max_id, h1, h2)
),
own as (
  select i.inventory_key, i.member_count, i.grain_count, i.max_born_at, i.max_id, i.h1, i.h2, i.recompute_needed
  from governance_inventory i
  order by i.inventory_key collate "C"
  for no key update
),
pair as (
  select o.inventory_key, o.member_count as before, o.recompute_needed,
    coalesce(t.members, 0) as members, coalesce(t.grain, 0) as grain, t.max_born_at, t.max_id, coalesce(t.h1, 0) as h1, coalesce(t.h2, 0) as h2,
    (o.member_count, o.grain_count, o.max_born_at, o.max_id, o.h1, o.h2) is distinct from
      (coalesce(t.members, 0), coalesce(t.grain, 0), t.max_born_at, t.max_id, coalesce(t.h1, 0), coalesce(t.h2, 0)) as changed
  from own o
  left join truth t on t.inventory_key = o.inventory_key
)
update governance_inventory i
set member_count = p.members, grain_count = p.grain, max_born_at = p.max_born_at, max_id = p.max_id, h1 = p.h1, h2 = p.h2,
  recompute_needed = false
from pair p
where i.inventory_key = p.inventory_key and (p.changed or p.recompute_needed)
returning i.inventory_key, p.before, p.members as after, p.changed
