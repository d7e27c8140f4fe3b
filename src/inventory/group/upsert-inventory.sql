-- The inventory groups that are new or no longer as stored. Rows that are as they should be are not touched: whoever keeps
-- the running fingerprints writes them all the time, and a capture sees the table as it was when it began. Ordered by key,
-- so that two writers wait for each other and never deadlock.
insert into governance_inventory (
  inventory_key, object_class, source_registry, axis_family, lifecycle_status, resolved, unresolved_reason, inherits,
  first_seen_at)
select g.inventory_key, g.object_class, g.source_registry, g.axis_family, g.lifecycle_status, g.unresolved_reason is null,
  g.unresolved_reason, g.inherits, $8::timestamptz
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[])
  as g(inventory_key, object_class, source_registry, axis_family, lifecycle_status, unresolved_reason, inherits)
where not exists (
  select from governance_inventory i
  where i.inventory_key = g.inventory_key and i.inherits = g.inherits
    and i.unresolved_reason is not distinct from g.unresolved_reason)
order by g.inventory_key collate "C"
on conflict (inventory_key) do update
set resolved = excluded.resolved, unresolved_reason = excluded.unresolved_reason, inherits = excluded.inherits
returning (xmax = 0) as created
