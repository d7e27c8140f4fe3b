-- Which of these rows were found under other exceptions than hold at $1.
select f.row_id, f.change
from governance_exception_effect($1::timestamptz) f
where f.row_id = any ($2::bigint[])
