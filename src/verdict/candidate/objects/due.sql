-- How many of the groups $1 in the scopes $2 have an object whose row no longer holds at $4 under rules $5, or was decided from
-- something else than what its group comes to now ($3). By the index, group by group: these tables may have no statistics yet.
select count(*) as groups
from unnest($1::text[], $2::text[], $3::text[]) as k(inventory_key, scope, basis_hash)
cross join lateral (
  select o.row_id
  from governance_candidate_object o
  where o.inventory_key = k.inventory_key and o.scope = k.scope and o.row_state = 'active' and o.birth_id is not null
    -- What others asked for is theirs to renew.
    and o.reasons && array['independent', 'input']
    and (o.dirty or o.recompute_status <> 'ok' or o.stale_after <= $4::timestamptz or o.ruleset_version <> $5::text
      or split_part(o.input_hash, '.', 1) <> k.basis_hash
      or o.source_snapshot_ref not in (select s.id from evolution_snapshots s))
  limit 1
) as due
