-- Where passes stand at $1, the latest first; $3 is the code of the last one of the page before, $4 that of the only one. Whether what one
-- was about has been looked at since is in the row: it does not become untrue again.
select s.pass_code, s.collection_name, s.entity_code, s.inventory_key, s.stage, s.action, s.minutes, s.reason, s.requested_by, s.requested_at,
  s.approve_by, s.approval_ref, s.began_at, s.ends_at, s.standing, p.verified_at
from governance_break_glass_standing($1::timestamptz) s
join governance_break_glass p on p.pass_code = s.pass_code
where ($3::text is null or p.pass_id < (select a.pass_id from governance_break_glass a where a.pass_code = $3::text))
  and ($4::text is null or p.pass_code = $4::text)
order by p.pass_id desc
limit $2::bigint
