-- name: readLapsed
-- Objects after :after, in key order, whose row is no longer valid at :at under the rules :ruleset_version
-- and has not been re-evaluated since. At most :limit.
-- nullable: :after
-- not null: birth_id
select distinct on (o.object_key) o.object_key, o.birth_id, o.collection_name, o.entity_code
from governance_candidate_object o
left join evolution_snapshots s on s.id = o.source_snapshot_ref
where o.row_state = 'active' and o.birth_id is not null and (:after::text is null or o.object_key > :after::text)
  and (o.dirty or o.recompute_status <> 'ok' or o.stale_after <= :at::timestamptz or o.ruleset_version <> :ruleset_version::text or s.id is null)
order by o.object_key
limit :limit::bigint
