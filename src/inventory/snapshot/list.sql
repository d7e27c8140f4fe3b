-- Newest first, without the groups; $3 is the last id of the page before.
select s.id::bigint as id, s.snapshot_at, s.scope::text as scope, s.metrics ->> 'run_id' as run_id,
  s.metrics ->> 'ruleset_version' as ruleset_version, s.metrics ->> 'phase' as phase, s.metrics ->> 'identity' as identity,
  (s.metrics -> 'totals' ->> 'objects')::bigint as objects, (s.metrics -> 'totals' ->> 'grain')::bigint as grain,
  (s.metrics -> 'totals' ->> 'groups')::int4 as groups,
  (s.metrics -> 'totals' ->> 'unresolved_groups')::int4 as unresolved_groups,
  jsonb_array_length(coalesce(s.delta_previous::jsonb -> 'groups', '[]'))::int4 as drifted,
  s.delta_previous::jsonb ->> 'rebaseline' as rebaseline,
  exists (select from v_governance_snapshot_in_use u where u.snapshot_id = s.id) as in_use
from evolution_snapshots s
where s.scope in ('governance.backfill', 'governance.audit', 'governance.scan') and s.metrics ->> 'format' = $1::text
  and ($3::bigint is null or s.id < $3::bigint) and ($4::text is null or s.scope = $4::text)
order by s.id desc
limit $2::bigint
