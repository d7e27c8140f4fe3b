-- All births a near round takes in; $7 is what ages are counted from.
insert into gov_intake_seen (source, id, xid)
select $6::text, b.id, $7::bigint - b.row_age
from (
  {{near_births}}
) as b
order by b.id
on conflict do nothing
