select s.exception_code, s.before, s.standing, s.row_ids, e.scope, e.expires_at, e.approval_ref
from gcos_settle_exceptions($1::timestamptz, $2::text) as s
join governance_exception e on e.exception_code = s.exception_code
order by s.exception_code
