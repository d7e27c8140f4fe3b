select letter_id as id, letter_origin as origin
from gcos_retry_dead_letters($1::text[], $2::text, coalesce($3::timestamptz, clock_timestamp()))
