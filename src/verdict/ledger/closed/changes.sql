-- What no longer stands at $1: live rows that do not hold any more, or of which the exceptions then make something else, by scope and reason,
-- and groups nobody has judged yet.
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect($1::timestamptz) x
)
select c.scope, c.reason, count(*) as rows, count(*) filter (where c.weight = 1) as units
from (
  select g.scope, g.weight, coalesce(v.reason, f.change) as reason
  from governance_candidate_state g
  join governance_validity($1::timestamptz) v on v.row_id = g.row_id
  left join effect f on f.row_id = g.row_id
  where g.row_state = 'active' and (not v.valid or f.change is not null)
  union all
  select o.scope, o.weight, coalesce(v.reason, f.change)
  from governance_candidate_object o
  join governance_validity($1::timestamptz) v on v.row_id = o.row_id
  left join effect f on f.row_id = o.row_id
  where o.row_state = 'active' and (not v.valid or f.change is not null)
) c
group by c.scope, c.reason
union all
select g.scope, 'no_row', count(*), count(*) filter (where i.inherits)
from governance_group g
join governance_inventory i on i.inventory_key = g.inventory_key
where coalesce(i.member_count, 1) > 0
  and not exists (
    select from governance_candidate_state s
    where s.inventory_key = g.inventory_key and s.scope = g.scope and s.row_state in ('active', 'retired'))
group by g.scope
order by 1, 2
