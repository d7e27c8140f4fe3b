select p.promoted, p.failed, p.dead_lettered, p.more, p.since
from gcos_promote($1::int4, $2::int4, $3::text[], $4::text, $5::timestamptz, $6::timestamptz) as p
