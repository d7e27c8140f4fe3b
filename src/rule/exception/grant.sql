select g.outcome, g.exception_code, g.person_ref, g.login
from gcos_grant_exception($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::timestamptz, $10::text,
  $11::text, $12::timestamptz, $13::text) as g
