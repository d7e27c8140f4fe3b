-- What is dirty, by risk class, and for how many seconds in all at the time $1.
select d.kind, d.risk_class, count(*) as rows,
  sum(greatest(extract(epoch from $1::timestamptz - d.dirtied_at), 0))::float8 as seconds
from (
  select 'group' as kind, s.risk_class, s.dirtied_at
  from governance_candidate_state s
  where s.dirty and s.row_state in ('active', 'retired')
  union all
  select 'object', o.risk_class, o.dirtied_at
  from governance_candidate_object o
  where o.dirty and o.row_state in ('active', 'retired')
) as d
group by d.kind, d.risk_class
order by d.kind, d.risk_class
