-- What every unit (with $2: of this owner) counts as at $1, per scope and inventory group: one term each, the first that fits. A retired row whose
-- source is gone is a tombstone; any other retired row has handed its place back to its group and is no unit. An exception counts only
-- while it is in force, whatever the row that rests on it says; nor is what one accepts by now an orphan still.
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect($1::timestamptz) x
),
unit as (
  select g.row_id, g.scope, g.inventory_key, null::bigint as key_hash, g.row_state = 'retired' as tombstone,
    g.candidate_verdict, g.verdict_line, g.coverage_outcome, g.ruleset_version, g.source_snapshot_ref, g.recompute_status, g.dirty, g.stale_after
  from governance_candidate_state g
  where g.weight = 1 and (g.row_state = 'active' or (g.row_state = 'retired' and g.evidence ? 'source_row_gone'))
    and ($2::text is null or g.owner_scope = $2::text)
  union all
  select o.row_id, o.scope, o.inventory_key, hashtextextended(o.entity_code collate "C", 0), o.row_state = 'retired',
    o.candidate_verdict, o.verdict_line, o.coverage_outcome, o.ruleset_version, o.source_snapshot_ref, o.recompute_status, o.dirty, o.stale_after
  from governance_candidate_object o
  where o.weight = 1 and (o.row_state = 'active' or (o.row_state = 'retired' and o.evidence ? 'source_row_gone'))
    and ($2::text is null or o.owner_scope = $2::text)
),
excepted as (
  -- Whether it holds is said by what governance_validity() asks, row by row: every row is here already.
  select u.scope, u.inventory_key, u.key_hash, u.tombstone,
    gcos_validity_reason(r.status, s.id is not null, u.recompute_status, u.dirty, u.stale_after, $1::timestamptz) as reason,
    u.candidate_verdict, u.verdict_line, u.coverage_outcome, f.change
  from unit u
  left join governance_ruleset r on r.ruleset_version = u.ruleset_version
  left join evolution_snapshots s on s.id = u.source_snapshot_ref
  left join effect f on f.row_id = u.row_id
),
counted as (
  select j.scope, j.inventory_key, j.key_hash,
    case
      when j.tombstone then 'retired'
      when j.reason is not null or j.candidate_verdict in ('unknown', 'needs_input') then 'unverified'
      when j.candidate_verdict = 'relevant' then
        case case when j.change is null then j.coverage_outcome end
          when 'covered' then 'covered' when 'orphan' then 'orphans' when 'exception' then 'exceptions' else 'unverified'
        end
      else j.candidate_verdict
    end as term,
    case
      when j.tombstone then 'tombstone'
      when j.reason is not null then j.reason
      when j.candidate_verdict in ('unknown', 'needs_input') then j.candidate_verdict
      when j.candidate_verdict = 'relevant' and j.change is not null then j.change
      when j.candidate_verdict = 'relevant' and coalesce(j.coverage_outcome, 'not_evaluated') = 'not_evaluated' then 'not_evaluated'
      when j.candidate_verdict = 'deferred_birth' then case when j.verdict_line = 1 then 'unborn' else 'future_scope' end
      else ''
    end as cause
  from excepted j
),
summed as (
  select c.scope, c.inventory_key, c.term, c.cause, count(*) as units, coalesce(sum(c.key_hash), 0) as keys
  from counted c
  group by c.scope, c.inventory_key, c.term, c.cause
)
select s.scope, s.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, s.term, s.cause, s.units, s.keys
from summed s
join governance_inventory i on i.inventory_key = s.inventory_key
