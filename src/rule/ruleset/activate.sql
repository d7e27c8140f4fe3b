select outcome, superseded, activated_at, person_ref, verified, login
from gcos_activate_ruleset($1::text, $2::text, $3::text, $4::text, $5::text, $6::text)
