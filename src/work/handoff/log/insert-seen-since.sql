-- Everything visible that lies at or above the horizon: what a log that begins anew must not take in a second time.
insert into gov_handoff_seen (source, ref, xid)
select $1::text, b.id::text, $4::bigint - age(b.xmin)
from {{log}} b
where {{since_horizon}}
on conflict do nothing
