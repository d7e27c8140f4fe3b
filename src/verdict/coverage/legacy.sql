-- name: readLegacyGroups
-- The groups among :inventory_keys (null: all) that existed when the first backfill was complete, with the
-- time :days days after it, and whether that has passed at :at.
-- nullable: :inventory_keys
select i.inventory_key, d.until, d.until <= :at::timestamptz as overdue
from (
  select min(r.finished_at) as found_at
  from candidate_scan_run r
  where r.kind = 'backfill' and r.status = 'completed'
) as b
cross join lateral (select b.found_at + make_interval(days => :days::int4) as until) as d
join governance_inventory i on i.first_seen_at <= b.found_at
where :inventory_keys::text[] is null or i.inventory_key = any (:inventory_keys::text[])
