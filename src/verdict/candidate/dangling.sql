-- name: readDangling
-- Missing snapshots that live rows refer to, with the number of rows and whether one of them
-- has a high risk.
select d.ref as snapshot_ref, count(*) as rows, bool_or(d.risk_class = 'write_high') as high_risk
from (
  select g.source_snapshot_ref as ref, g.risk_class from governance_candidate_state g where g.row_state in ('active', 'retired')
  union all
  select o.source_snapshot_ref, o.risk_class from governance_candidate_object o where o.row_state in ('active', 'retired')
) as d
where not exists (select from evolution_snapshots s where s.id = d.ref)
group by d.ref
order by d.ref

-- name: markDangling
-- Marks the verdicts whose snapshot is missing as dirty at :at, so that the next scan renews them; returns
-- their number.
with groups as (
  update governance_candidate_state g
  set dirty = true, dirty_reason = 'snapshot_gone', dirtied_at = :at::timestamptz, updated_at = :at::timestamptz
  where g.row_state = 'active' and not g.dirty
    and not exists (select from evolution_snapshots s where s.id = g.source_snapshot_ref)
  returning g.row_id
),
objects as (
  update governance_candidate_object o
  set dirty = true, dirty_reason = 'snapshot_gone', dirtied_at = :at::timestamptz, updated_at = :at::timestamptz
  where o.row_state = 'active' and not o.dirty
    and not exists (select from evolution_snapshots s where s.id = o.source_snapshot_ref)
  returning o.row_id
)
select (select count(*) from groups) + (select count(*) from objects) as marked
