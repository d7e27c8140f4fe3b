-- Objects after $1, by key, whose row no longer holds at $2 under rules $3: nobody has looked at them since. At most $4.
select distinct on (o.object_key) o.object_key, o.birth_id, o.collection_name, o.entity_code
from governance_candidate_object o
left join evolution_snapshots s on s.id = o.source_snapshot_ref
where o.row_state = 'active' and o.birth_id is not null and ($1::text is null or o.object_key > $1::text)
  and (o.dirty or o.recompute_status <> 'ok' or o.stale_after <= $2::timestamptz or o.ruleset_version <> $3::text or s.id is null)
order by o.object_key
limit $4::bigint
