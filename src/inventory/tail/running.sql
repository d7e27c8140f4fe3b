-- name: knownKeys
select i.inventory_key from governance_inventory i where i.inventory_key = any (:keys::text[])

-- name: addParts
-- Adds partial sums to running fingerprints. INVARIANT: no other statement does, and the added rows were
-- never counted before. Groups in :fresh are new and start at zero; a stored group that was never
-- computed stays marked. Rows are locked in key order.
with part as (
  select p.inventory_key, sum(p.members)::bigint as members, sum(p.grain)::bigint as grain, max(p.max_born_at) as max_born_at,
    max(p.max_id) as max_id, sum(p.h1::numeric) as h1, sum(p.h2::numeric) as h2
  from unnest(:keys::text[], :members::bigint[], :grains::bigint[], :max_born_ats::timestamptz[], :max_ids::bigint[], :h1s::text[], :h2s::text[])
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
  recompute_needed = i.recompute_needed and (i.member_count is not null or i.inventory_key <> all (:fresh::text[]))
from part p
join own o on o.inventory_key = p.inventory_key
where i.inventory_key = p.inventory_key
returning i.inventory_key

-- name: markRows
-- Marks every group for recomputation, because it is unknown in which group the changed rows were counted
-- before.
with own as (
  select i.inventory_key from governance_inventory i
  where not i.recompute_needed
  order by i.inventory_key collate "C"
  for no key update
)
update governance_inventory i
set recompute_needed = true
from own o
where i.inventory_key = o.inventory_key
returning i.inventory_key

-- name: isMarkedRow
select exists (select from governance_inventory i where i.recompute_needed) as marked

-- name: countMembers
-- The number of births in the running fingerprints.
select coalesce(sum(i.member_count), 0)::bigint as births from governance_inventory i

-- name: zeroRows
-- Resets all groups to zero for the start of a sweep.
with own as (
  select i.inventory_key from governance_inventory i order by i.inventory_key collate "C" for no key update
)
update governance_inventory i
set member_count = 0, grain_count = 0, max_born_at = null, max_id = null, h1 = 0, h2 = 0, recompute_needed = false
from own o
where i.inventory_key = o.inventory_key
returning i.inventory_key

-- name: replaceRows
-- Replaces the running fingerprints of a part of the births by the given sums and, for the part `births`,
-- those of all ranges: the collections :individual are the part `members`, all others the part `births`. A
-- group without sums is empty. Returns the changed groups.
-- nullable: before
with part as (
  select t.inventory_key, t.members, t.grain, t.max_born_at, t.max_id, t.h1::numeric as h1, t.h2::numeric as h2
  from unnest(:keys::text[], :members::bigint[], :grains::bigint[], :max_born_ats::timestamptz[], :max_ids::bigint[], :h1s::text[], :h2s::text[])
    as t(inventory_key, members, grain, max_born_at, max_id, h1, h2)
  union all
  select s.inventory_key, s.members, 1, s.max_born_at, s.max_id, s.h1, s.h2
  from gov_intake_range r
  cross join lateral unnest(r.keys, r.members, r.max_born_ats, r.max_ids, r.h1s, r.h2s) as s(inventory_key, members, max_born_at, max_id, h1, h2)
  where :part::text = 'births'
),
truth as (
  select p.inventory_key, sum(p.members)::bigint as members, max(p.grain) as grain, max(p.max_born_at) as max_born_at,
    max(p.max_id) as max_id, sum(p.h1) as h1, sum(p.h2) as h2
  from part p
  group by p.inventory_key
),
own as (
  select i.inventory_key, i.member_count, i.grain_count, i.max_born_at, i.max_id, i.h1, i.h2, i.recompute_needed
  from governance_inventory i
  where case :part::text
    when 'births' then i.source_registry <> all (:individual::text[])
    when 'members' then i.source_registry = any (:individual::text[])
    else true
  end
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

-- name: readRows
-- nullable: axis_family, lifecycle_status, member_count, grain_count, max_born_at, max_id, h1, h2
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.member_count, i.grain_count,
  i.max_born_at, i.max_id, i.h1, i.h2, i.recompute_needed
from governance_inventory i
order by i.inventory_key collate "C"
