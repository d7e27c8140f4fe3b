insert into gov_intake_seen (source, id, xid)
select $1::text, s.id, s.xid
from unnest($2::bigint[], $3::bigint[]) as s(id, xid)
order by s.id, s.xid
on conflict do nothing
