-- name: readScale
-- The size of the inventory from the statistics: status must answer at once at any size.
select
  greatest(c.reltuples, 0)::int8 as estimated_births,
  c.reltuples < 0 as never_analyzed
from pg_class c
where c.oid = to_regclass(format('%I.birth_registry', :schema::text))

-- name: readSnapshot
-- The latest snapshot taken by GCOS, of any kind.
select s.id::bigint as id, s.snapshot_at::timestamptz as snapshot_at, s.scope::text as scope
from evolution_snapshots s
where s.scope in ('governance.backfill', 'governance.audit', 'governance.scan', 'governance.delta') and s.metrics ->> 'format' like 'gcos-snapshot/%'
order by s.id desc
limit 1
