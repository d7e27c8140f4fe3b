select c.outcome, c.login
from gcos_close_break_glass($1::text, $2::text, $3::timestamptz) as c
