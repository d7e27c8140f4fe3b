-- name: sync
-- nullable: collection_name, entity_code, inventory_key
select s.pass_code, s.collection_name, s.entity_code, s.inventory_key, s.stage, s.action, s.approval_ref, s.began_at, s.ends_at, s.row_ids
from gcos_sync_break_glass() as s
order by s.pass_code

-- name: readAny
-- Whether a break-glass pass or a finding of type :type exists: most installations have neither.
select exists (select from governance_break_glass) or exists (
  select from governance_finding_key k where k.finding_type = :type::text) as seen
