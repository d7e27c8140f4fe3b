-- name: readLapsed
-- Rows whose outcome rests on an exception that is not in force at :at.
select e.row_id
from governance_exception_effect(:at::timestamptz) e
where e.change = 'exception_lapsed'
