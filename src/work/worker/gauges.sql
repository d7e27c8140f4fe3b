-- name: readDirty
-- Verdict rows that wait for a scan at the time :at because they are dirty or expired: per risk class the
-- number of dirty rows, and the sum of all waiting times in seconds.
select w.kind, w.risk_class, count(*) filter (where w.dirty) as rows,
  sum(greatest(extract(epoch from :at::timestamptz - w.since), 0))::float8 as seconds
from (
  select 'group' as kind, s.risk_class, s.dirty, case when s.dirty then s.dirtied_at else s.stale_after end as since
  from governance_candidate_state s
  where s.row_state = 'active' and (s.dirty or s.stale_after <= :at::timestamptz)
  union all
  select 'object', o.risk_class, o.dirty, case when o.dirty then o.dirtied_at else o.stale_after end
  from governance_candidate_object o
  where o.row_state = 'active' and (o.dirty or o.stale_after <= :at::timestamptz)
) as w
group by w.kind, w.risk_class
order by w.kind, w.risk_class

-- name: readBacklog
-- At the time :at: held signals, groups that wait for recomputation, and the age of the last inventory proof.
-- nullable: proof_seconds
select (select count(*) from governance_hold h where h.dead_lettered_at is null) as held,
  (select count(*) from governance_inventory i where i.recompute_needed) as recompute,
  (select extract(epoch from :at::timestamptz - max(r.finished_at))::float8
   from candidate_scan_run r
   where (r.kind = 'backfill' or r.mode = 'full') and r.status = 'completed' and r.proof is not null) as proof_seconds
