-- Rows above the highest id seen, $2, and rows in gaps: certainly new, lowest ids first, through the primary key. The inner limits
-- keep the planner on the key whatever it thinks of the width of a gap.
with n as (
  select a.id, a.collection_name, a.code, a.species_code, a.status, a.born_at, a.row_age, a.h1, a.h2,
    null::bigint as gap_first, null::bigint as gap_last
  from (
    select {{row}}
    from birth_registry b
    {{row_hash}}
    where $2::bigint is null or b.id > $2::bigint
    order by b.id
    limit $4::bigint
  ) as a
  union all
  select a.id, a.collection_name, a.code, a.species_code, a.status, a.born_at, a.row_age, a.h1, a.h2, g.first_id, g.last_id
  from gov_intake_gap g
  cross join lateral (
    select {{row}}
    from birth_registry b
    {{row_hash}}
    where b.id >= g.first_id and b.id <= g.last_id
    order by b.id
    limit $4::bigint
  ) as a
  where g.source = $1::text
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, $3::bigint - n.row_age as xid, n.h1 * f.h1 as h1,
  n.h2 * f.h2 as h2, n.gap_first, n.gap_last
from n
{{name_factor}}
order by n.id
limit $4::bigint
