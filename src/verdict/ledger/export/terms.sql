-- Checks that the terms of the ledger of run {{run}} still have the same values as of {{at}}. Returns one
-- row per scope and term that differs; no rows: they are equal. Reads the tables of GCOS
-- (governance_candidate_state, governance_candidate_object, governance_inventory, governance_ruleset,
-- gov_worker_retry) and the tables evolution_snapshots and birth_registry of the host. New evaluations of
-- GCOS since then appear here and are not errors: run the statement right after the ledger was closed, or on
-- a copy of that time. Exceptions count as the rows record them, in force or not.
with {{there}},
expected_scope (scope) as (
  {{scopes}}
),
{{failed}},
expected (scope, term, units) as (
  {{expected_terms}}
),
unit as (
  select c.scope, c.row_state, c.candidate_verdict, c.coverage_outcome, c.ruleset_version, c.source_snapshot_ref, c.recompute_status, c.dirty,
    c.stale_after
  from {{schema}}.governance_candidate_state c
  where c.weight = 1 and (c.row_state = 'active' or (c.row_state = 'retired' and c.evidence ? 'source_row_gone'))
  union all
  select c.scope, c.row_state, c.candidate_verdict, c.coverage_outcome, c.ruleset_version, c.source_snapshot_ref, c.recompute_status, c.dirty,
    c.stale_after
  from {{schema}}.governance_candidate_object c
  where c.weight = 1 and (c.row_state = 'active' or (c.row_state = 'retired' and c.evidence ? 'source_row_gone'))
),
found as (
  select j.scope, j.term, count(*) as units
  from (
    select u.scope,
      case
        when u.row_state = 'retired' then 'retired'
        when r.status is distinct from 'active' or s.id is null or u.recompute_status <> 'ok' or u.dirty
          or {{at}}::timestamptz >= u.stale_after or u.candidate_verdict in ('unknown', 'needs_input') then 'unverified'
        when u.candidate_verdict = 'relevant' then
          case u.coverage_outcome when 'covered' then 'covered' when 'orphan' then 'orphans' when 'exception' then 'exceptions'
            else 'unverified' end
        else u.candidate_verdict
      end as term
    from unit u
    join expected_scope e on e.scope = u.scope
    left join {{trust}}.governance_ruleset r on r.ruleset_version = u.ruleset_version
    left join {{schema}}.evolution_snapshots s on s.id = u.source_snapshot_ref
    union all
    select f.scope, 'unverified' from failed f cross join lateral generate_series(1, f.units)
  ) j
  group by j.scope, j.term
)
select coalesce(e.scope, f.scope) as scope, coalesce(e.term, f.term) as term, coalesce(e.units, 0) as units_expected,
  coalesce(f.units, 0) as units_found
from expected e
full join found f on f.scope = e.scope and f.term = e.term
where coalesce(e.units, 0) <> coalesce(f.units, 0)
order by 1, 2;
