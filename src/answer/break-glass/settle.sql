select s.pass_code, s.collection_name, s.entity_code, s.inventory_key, s.stage, s.action, s.approval_ref, s.began_at, s.ends_at, s.row_ids
from gcos_settle_break_glass($1::timestamptz, $2::text) as s
order by s.pass_code
