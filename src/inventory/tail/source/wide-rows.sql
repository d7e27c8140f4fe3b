-- Rows written since the horizon $2 that no round has seen, lowest ids first, and how many they are (at most one more than $6
-- are counted). One sequential scan. What lies in a gap comes with the gap.
with n as (
  select {{row}}
  from birth_registry b
  {{row_hash}}
  where {{since_horizon}}
    and not exists (
      select from gov_intake_seen s where s.source = $1::text and s.id = b.id and s.xid = $4::bigint - age(b.xmin))
    {{pages}}
  limit $6::bigint + 1
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, $4::bigint - n.row_age as xid, n.h1 * f.h1 as h1,
  n.h2 * f.h2 as h2, g.first_id as gap_first, g.last_id as gap_last, count(*) over () as found
from n
{{name_factor}}
left join lateral (
  select p.first_id, p.last_id from gov_intake_gap p where p.source = $1::text and p.first_id <= n.id order by p.first_id desc limit 1
) as g on g.last_id >= n.id
order by n.id
limit $5::bigint
