-- The request for $1 that is not decided yet, if there is one; what the host's own column says does not count.
select w.request_code as code
from governance_request w
join gcos_request_standing(array(
  select r.request_code from governance_request r
  where r.action_code = 'gcos.remediation.propose' and r.proposed_action ->> 'remedy' = $1::text)) s on s.request_code = w.request_code
where s.standing = 'pending'
order by w.opened_at
limit 1
