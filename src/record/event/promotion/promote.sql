select p.promoted, p.failed, p.dead_lettered
from gcos_promote($1::int4, $2::int4, $3::text[], $4::text, $5::timestamptz) as p
