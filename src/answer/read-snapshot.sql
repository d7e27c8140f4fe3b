-- The latest snapshot of GCOS's own, of whatever kind.
select s.id::bigint as id, s.snapshot_at::timestamptz as snapshot_at, s.scope::text as scope
from evolution_snapshots s
where s.scope in ('governance.backfill', 'governance.audit', 'governance.scan') and s.metrics ->> 'format' like 'gcos-snapshot/%'
order by s.id desc
limit 1
