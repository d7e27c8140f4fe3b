select s.exception_code, s.before, s.standing, s.row_ids
from gcos_settle_exceptions($1::timestamptz, $2::text) as s
order by s.exception_code
