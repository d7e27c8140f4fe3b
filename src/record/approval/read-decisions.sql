-- Every decision on one request, in the order it was made.
select d.person_ref, d.approver_type, d.decision, d.login, d.verified, d.reason, d.decided_at, d.witnessed, d.counts, d.remark
from gcos_request_decisions(array[$1::text]) d
order by d.decided_at, d.person_ref
