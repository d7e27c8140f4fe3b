select outcome, before, changed, person_ref, login, verified
from gcos_input_trust($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::timestamptz, $8::text)
