-- name: addRows
-- Adds the sums of a batch to those of its part :part. Ordered by key, like every statement that locks
-- several rows.
insert into gov_backfill_partial (part, inventory_key, member_count, grain_count, max_born_at, max_id, h1, h2)
select :part::int4, p.inventory_key, sum(p.members)::bigint, sum(p.grain)::bigint, max(p.max_born_at), max(p.max_id),
  sum(p.h1::numeric), sum(p.h2::numeric)
from unnest(:keys::text[], :members::bigint[], :grains::bigint[], :max_born_ats::timestamptz[], :max_ids::bigint[], :h1s::text[], :h2s::text[])
  as p(inventory_key, members, grain, max_born_at, max_id, h1, h2)
group by p.inventory_key
order by p.inventory_key collate "C"
on conflict (part, inventory_key) do update
set member_count = gov_backfill_partial.member_count + excluded.member_count,
  grain_count = gov_backfill_partial.grain_count + excluded.grain_count,
  max_born_at = greatest(gov_backfill_partial.max_born_at, excluded.max_born_at),
  max_id = greatest(gov_backfill_partial.max_id, excluded.max_id),
  h1 = gov_backfill_partial.h1 + excluded.h1,
  h2 = gov_backfill_partial.h2 + excluded.h2
returning inventory_key

-- name: takeRows
-- Removes and returns all partial sums, with the dimensions of their groups.
-- nullable: axis_family, lifecycle_status, unresolved_reason
with taken as (
  delete from gov_backfill_partial p
  returning p.inventory_key, p.member_count, p.grain_count, p.max_born_at, p.max_id, p.h1, p.h2
)
select t.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  t.member_count, t.grain_count, t.max_born_at, t.max_id, t.h1, t.h2
from taken t
join governance_inventory i on i.inventory_key = t.inventory_key
