insert into gov_handoff_seen (source, ref, xid)
select $1::text, u.ref, u.xid
from unnest($2::text[], $3::bigint[]) as u(ref, xid)
order by u.ref, u.xid
on conflict do nothing
