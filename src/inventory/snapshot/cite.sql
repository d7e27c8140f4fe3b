-- name: readUncited
-- The groups among :inventory_keys that no snapshot contains as they are, with their running fingerprints: no
-- snapshot has them, the snapshot is gone, or it has another fingerprint. Another fingerprint is no reason
-- for a group that must be recomputed, with :uncounted, or, with :for_objects, for a container.
-- nullable: axis_family, lifecycle_status, unresolved_reason, max_born_at, max_id
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  coalesce(i.member_count, 0) as member_count, coalesce(i.grain_count, 0) as grain_count, i.max_born_at, i.max_id,
  coalesce(i.h1, 0)::text as h1, coalesce(i.h2, 0)::text as h2
from unnest(:inventory_keys::text[]) as k(inventory_key)
join governance_inventory i on i.inventory_key = k.inventory_key
left join governance_inventory_snapshot p on p.inventory_key = i.inventory_key
left join evolution_snapshots s on s.id = p.snapshot_ref
where s.id is null
  or not i.recompute_needed and not :uncounted::boolean and not (i.inherits and :for_objects::boolean)
    and p.fingerprint <> gcos_fingerprint(i.member_count, i.grain_count, i.h1, i.h2)
order by i.inventory_key collate "C"

-- name: noteCaptured
-- Records that the snapshot :snapshot_ref contains these groups with these fingerprints; groups that are not
-- known yet are skipped.
insert into governance_inventory_snapshot as p (inventory_key, snapshot_ref, fingerprint)
select n.inventory_key, :snapshot_ref::bigint, n.fingerprint
from unnest(:inventory_keys::text[], :fingerprints::text[]) as n(inventory_key, fingerprint)
join governance_inventory i on i.inventory_key = n.inventory_key
order by n.inventory_key collate "C"
on conflict (inventory_key) do update
set snapshot_ref = excluded.snapshot_ref, fingerprint = excluded.fingerprint
