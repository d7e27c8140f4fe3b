-- name: appendRow
select s.appended as id, s.appended_at as at from gcos_append_snapshot(:scope::text, :metrics::jsonb, :delta::jsonb, :notes::text) as s

-- name: pruneRows
-- nullable: :keep
select p.snapshot_id as id, p.snapshot_scope as scope from gcos_prune_snapshots(:keep::int4) as p order by p.snapshot_id

-- name: readLatest
-- The last snapshot of GCOS of one kind.
select s.id::bigint as id, s.metrics::text as metrics
from evolution_snapshots s
where s.scope = :scope::text and s.metrics ->> 'format' = :format::text
order by s.id desc
limit 1

-- name: readOne
-- nullable: notes
select s.id::bigint as id, s.snapshot_at, s.scope::text as scope, s.metrics::text as metrics,
  coalesce(s.delta_previous::text, '{}') as delta, s.notes::text as notes,
  exists (select from v_governance_snapshot_in_use u where u.snapshot_id = s.id) as in_use
from evolution_snapshots s
where s.id = :id::bigint and s.scope in ('governance.backfill', 'governance.audit', 'governance.scan', 'governance.delta')
  and s.metrics ->> 'format' = :format::text

-- name: listRows
-- Newest first, without the groups; :after is the last id of the previous page.
-- nullable: run_id, ruleset_version, phase, identity, objects, grain, groups, unresolved_groups, rebaseline
-- nullable: :after, :scope
select s.id::bigint as id, s.snapshot_at, s.scope::text as scope, s.metrics ->> 'run_id' as run_id,
  s.metrics ->> 'ruleset_version' as ruleset_version, s.metrics ->> 'phase' as phase, s.metrics ->> 'identity' as identity,
  (s.metrics -> 'totals' ->> 'objects')::bigint as objects, (s.metrics -> 'totals' ->> 'grain')::bigint as grain,
  (s.metrics -> 'totals' ->> 'groups')::int4 as groups,
  (s.metrics -> 'totals' ->> 'unresolved_groups')::int4 as unresolved_groups,
  jsonb_array_length(coalesce(s.delta_previous::jsonb -> 'groups', '[]'))::int4 as drifted,
  s.delta_previous::jsonb ->> 'rebaseline' as rebaseline,
  exists (select from v_governance_snapshot_in_use u where u.snapshot_id = s.id) as in_use
from evolution_snapshots s
where s.scope in ('governance.backfill', 'governance.audit', 'governance.scan', 'governance.delta') and s.metrics ->> 'format' = :format::text
  and (:after::bigint is null or s.id < :after::bigint) and (:scope::text is null or s.scope = :scope::text)
order by s.id desc
limit :limit::bigint

-- name: isFrozenRow
-- Whether the finding that two readings of the inventory differed is still open.
select exists (
  select
  from governance_finding_key k
  join system_issues i on i.id = k.issue_id and i.code = k.issue_code
  where k.finding_type = 'snapshot_nondeterministic'
    and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
) as frozen
