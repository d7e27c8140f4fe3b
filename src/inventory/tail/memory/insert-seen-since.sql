-- Everything visible that later rounds would come across again; one too many or too few costs a recomputation, never a count.
insert into gov_intake_seen (source, id, xid)
select $1::text, b.id, $4::bigint - age(b.xmin)
from birth_registry b
where {{since_horizon}}
  {{pages}}
limit $5::bigint
on conflict do nothing
