insert into gov_intake_gap (source, first_id, last_id, noted_xid)
select $1::text, g.first_id, g.last_id, $4::bigint
from unnest($2::bigint[], $3::bigint[]) as g(first_id, last_id)
