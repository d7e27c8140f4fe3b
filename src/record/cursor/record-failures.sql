select failed_table, failed_ref, failures, next_attempt
from gcos_record_failures($1::text, $2::text, $3::text, $4::int8, $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::int4, $11::float8, $12::float8, $13::timestamptz)
