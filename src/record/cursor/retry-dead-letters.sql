select letter_id as id, letter_origin as origin
from gcos_retry_dead_letters($1::text[], $2::text, $3::int4, coalesce($4::timestamptz, clock_timestamp()))
