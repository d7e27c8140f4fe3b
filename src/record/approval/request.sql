-- name: readPage
-- GCOS's own requests with their status, newest first.
-- nullable: proposer_verified, proposer_level, :code, :host_status, :after
with page as (
  select r.id::bigint as id, r.code::text as code, r.action_code::text as action_code, r.status::text as host_status,
    r.proposer::text as proposer, r.proposed_action::text as proposed_action, r.created_at
  from approval_requests r
  where r.action_code::text like 'gcos.%'
    and (:code::text is null or r.code::text = :code)
    and (:host_status::text is null or r.status::text = :host_status)
    and (:after::text is null or r.id < (select b.id from approval_requests b where b.code::text = :after order by b.id limit 1))
  order by r.id desc
  limit :limit::int8
)
select page.code, page.action_code, page.host_status, page.proposer, page.proposed_action, page.created_at,
  w.verified as proposer_verified, w.identity_level as proposer_level, s.risk, s.approvals, s.rejections, s.missing::text as missing, s.self_approved, s.status
from page
join gcos_request_status(array(select code from page)) s on s.request_code = page.code
left join governance_request w on w.request_code = page.code
order by page.id desc

-- name: listHostStatuses
select distinct r.status::text collate "C" as status from approval_requests r where r.status is not null order by 1

-- name: readDecisions
-- All decisions on one request, in the order in which they were made.
-- nullable: login, verified, identity_level, reason, decided_at, remark
select d.person_ref, d.approver_type, d.decision, d.login, d.verified, d.identity_level, d.reason, d.decided_at, d.witnessed, d.counts, d.remark, d.by_proposer
from gcos_request_decisions(array[:code::text]) d
order by d.decided_at, d.person_ref

-- name: readExistence
-- The action of the host's request with this code; no row if there is none.
select r.action_code::text as action_code from approval_requests r where r.code::text = :code::text order by r.id limit 1
