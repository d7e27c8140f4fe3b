select s.id::bigint as id, s.snapshot_at, s.scope::text as scope, s.metrics::text as metrics,
  coalesce(s.delta_previous::text, '{}') as delta, s.notes::text as notes,
  exists (select from v_governance_snapshot_in_use u where u.snapshot_id = s.id) as in_use
from evolution_snapshots s
where s.id = $1::bigint and s.scope in ('governance.backfill', 'governance.audit', 'governance.scan')
  and s.metrics ->> 'format' = $2::text
