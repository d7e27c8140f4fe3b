-- name: readDangling
-- Missing snapshots that live rows refer to, with the number of rows.
select d.ref as snapshot_ref, count(*) as rows
from (
  select g.source_snapshot_ref as ref from governance_candidate_state g where g.row_state in ('active', 'retired')
  union all
  select o.source_snapshot_ref from governance_candidate_object o where o.row_state in ('active', 'retired')
) as d
where not exists (select from evolution_snapshots s where s.id = d.ref)
group by d.ref
order by d.ref
