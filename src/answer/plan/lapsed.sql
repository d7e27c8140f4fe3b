-- Rows whose outcome rests on an exception that does not hold at $1.
select e.row_id
from governance_exception_effect($1::timestamptz) e
where e.change = 'exception_lapsed'
