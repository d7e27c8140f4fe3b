-- name: applyChanges
-- nullable: before, approval_ref
select s.exception_code, s.before, s.status, s.row_ids, e.scope, e.expires_at, e.approval_ref
from gcos_apply_exception_changes() as s
join governance_exception e on e.exception_code = s.exception_code
order by s.exception_code

-- name: readChanged
-- Whether the status of any exception at :at differs from the status applied last.
select exists (
  select
  from governance_exception_status(:at::timestamptz) s
  join governance_exception e on e.exception_code = s.exception_code
  where e.applied_status is distinct from s.status) as moved
