-- What waits at $1: groups that are dirty or have run out, of how many there are; since when the oldest; and the exposure of all rows.
with waiting as (
  select true as is_group, c.risk_class, case when c.dirty then c.dirtied_at else c.stale_after end as since
  from governance_candidate_state c
  where c.row_state = 'active' and (c.dirty or c.stale_after <= $1::timestamptz)
  union all
  select false, o.risk_class, case when o.dirty then o.dirtied_at else o.stale_after end
  from governance_candidate_object o
  where o.row_state = 'active' and (o.dirty or o.stale_after <= $1::timestamptz)
)
select count(*) filter (where w.is_group) as groups, count(*) filter (where not w.is_group) as objects,
  (select count(*) from governance_candidate_state c where c.row_state = 'active') as all_groups, min(w.since) as oldest,
  coalesce(extract(epoch from $1::timestamptz - min(w.since)), 0)::float8 as waited_seconds,
  coalesce(sum(greatest(extract(epoch from $1::timestamptz - w.since), 0)::float8 * coalesce(($2::jsonb ->> w.risk_class)::float8, 8)), 0)::float8 as exposure
from waiting w
