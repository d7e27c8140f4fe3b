select o.outcome, o.pass_code, o.login
from gcos_open_break_glass($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::int4, $8::text, $9::text, $10::text,
  $11::timestamptz) as o
