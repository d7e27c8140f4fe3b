-- What waits for a scan at the time $1, because it is dirty or has run out: by risk class, how many rows are dirty, and for how many
-- seconds all of them have waited.
select w.kind, w.risk_class, count(*) filter (where w.dirty) as rows,
  sum(greatest(extract(epoch from $1::timestamptz - w.since), 0))::float8 as seconds
from (
  select 'group' as kind, s.risk_class, s.dirty, case when s.dirty then s.dirtied_at else s.stale_after end as since
  from governance_candidate_state s
  where s.row_state = 'active' and (s.dirty or s.stale_after <= $1::timestamptz)
  union all
  select 'object', o.risk_class, o.dirty, case when o.dirty then o.dirtied_at else o.stale_after end
  from governance_candidate_object o
  where o.row_state = 'active' and (o.dirty or o.stale_after <= $1::timestamptz)
) as w
group by w.kind, w.risk_class
order by w.kind, w.risk_class
