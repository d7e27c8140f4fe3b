-- Rows above the highest id seen, $2, and rows in gaps: certainly new, lowest ids first, through the primary key, as runs of ids
-- without a hole. The inner limits keep the planner on the key whatever it thinks of the width of a gap.
with n as (
  select a.id, null::bigint as gap_first, null::bigint as gap_last
  from (
    select b.id::bigint as id
    from birth_registry b
    where $2::bigint is null or b.id > $2::bigint
    order by b.id
    limit $3::bigint
  ) as a
  union all
  select a.id, g.first_id, g.last_id
  from gov_intake_gap g
  cross join lateral (
    select b.id::bigint as id
    from birth_registry b
    where b.id >= g.first_id and b.id <= g.last_id
    order by b.id
    limit $3::bigint
  ) as a
  where g.source = $1::text
),
numbered as (
  select n.id, n.gap_first, n.gap_last, row_number() over (order by n.id) as no
  from n
  order by n.id
  limit $3::bigint
)
select min(m.id) as first_id, max(m.id) as last_id, m.gap_first, m.gap_last
from numbered m
group by m.gap_first, m.gap_last, m.id - m.no
order by first_id
