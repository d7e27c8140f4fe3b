select outcome, unknown_collection, unknown_code, changed, person_ref, login, verified
from gcos_input_release($1::text[], $2::text[], $3::text, $4::text, $5::timestamptz, $6::text)
