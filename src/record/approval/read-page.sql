-- GCOS's own requests, newest first, with where each stands.
with page as (
  select r.id::bigint as id, r.code::text as code, r.action_code::text as action_code, r.status::text as status,
    r.proposer::text as proposer, r.proposed_action::text as proposed_action, r.created_at
  from approval_requests r
  where r.action_code::text like 'gcos.%'
    and ($1::text is null or r.code::text = $1)
    and ($2::text is null or r.status::text = $2)
    and ($3::text is null or r.id < (select b.id from approval_requests b where b.code::text = $3 order by b.id limit 1))
  order by r.id desc
  limit $4::int8
)
select page.code, page.action_code, page.status, page.proposer, page.proposed_action, page.created_at,
  w.verified as proposer_verified, s.risk, s.approvals, s.rejections, s.missing_presidents, s.missing_council, s.missing_any, s.standing
from page
join gcos_request_standing(array(select code from page)) s on s.request_code = page.code
left join governance_request w on w.request_code = page.code
order by page.id desc
