select r.outcome, r.person_ref, r.login
from gcos_revoke_exception($1::text, $2::text, $3::text, $4::timestamptz, $5::text) as r
