-- Objects in the inventory groups $1 whose rows are dirty or have run out at $2, or were decided under other rules than $3; without an
-- id, members that were never born.
select distinct o.birth_id, o.collection_name, o.entity_code
from unnest($1::text[]) as k(inventory_key)
cross join lateral (
  select l.birth_id, l.collection_name, l.entity_code
  from governance_candidate_object l
  where l.inventory_key = k.inventory_key and l.row_state = 'active'
    and (l.dirty or l.recompute_status <> 'ok' or l.stale_after <= $2::timestamptz or l.ruleset_version <> $3::text)
  offset 0
) as o
