-- The pass for the same subject, stage and action that is open at $6, or else waits for its approval.
select s.pass_code
from governance_break_glass_standing($6::timestamptz) s
where s.collection_name is not distinct from $1::text and s.entity_code is not distinct from $2::text
  and s.inventory_key is not distinct from $3::text and s.stage = $4::text and s.action = $5::text
  and s.standing in ('waiting', 'in_force')
order by s.standing = 'in_force' desc, s.pass_code desc
limit 1
