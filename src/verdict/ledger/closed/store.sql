-- name: readAccountedRows
-- All rows, in any state, and how many of them have a row_id up to :last_row. Rows are superseded or
-- retired, never deleted. Group rows are counted per inventory group, object rows per collection, because
-- an object never changes its collection.
select 'group' as kind, g.scope, g.inventory_key as place, count(*) as rows,
  count(*) filter (where g.row_id <= :last_row::bigint) as rows_before, max(g.row_id) as last_row
from governance_candidate_state g
group by g.scope, g.inventory_key
union all
select 'object', o.scope, o.collection_name, count(*), count(*) filter (where o.row_id <= :last_row::bigint), max(o.row_id)
from governance_candidate_object o
group by o.scope, o.collection_name

-- name: readLast
-- The latest ledger of a run other than :except: of a completed run, or with :any of any run that
-- counted.
-- nullable: mode, finished_at, ruleset_version, source_snapshot_ref, closing_snapshot_ref
select r.run_id, r.kind, r.mode, r.status, r.started_at, r.finished_at, r.ruleset_version, r.source_snapshot_ref,
  r.closing_snapshot_ref, r.ledger::text as ledger
from candidate_scan_run r
where r.ledger is not null and r.run_id <> :except::text and (r.status = 'completed' or :any::boolean)
order by r.started_at desc, r.run_id desc
limit 1

-- name: readNames
-- nullable: axis_family, lifecycle_status
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status
from governance_inventory i
where i.inventory_key = any (:keys::text[])

-- name: readChangeRows
-- Verdicts that are no longer valid at :at: live rows that are invalid, or whose outcome an exception
-- changes at that time, by scope and reason; and groups without a verdict.
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect(:at::timestamptz) x
),
live as (
  select g.row_id, g.scope, g.weight, g.ruleset_version, g.source_snapshot_ref, g.recompute_status, g.dirty, g.stale_after
  from governance_candidate_state g
  where g.row_state = 'active'
  union all
  select o.row_id, o.scope, o.weight, o.ruleset_version, o.source_snapshot_ref, o.recompute_status, o.dirty, o.stale_after
  from governance_candidate_object o
  where o.row_state = 'active'
),
reasoned as (
  -- Uses the reason function of governance_validity() directly, because this statement already reads
  -- every row.
  select l.scope, l.weight,
    coalesce(gcos_validity_reason(r.status, s.id is not null, l.recompute_status, l.dirty, l.stale_after, :at::timestamptz), f.change) as reason
  from live l
  left join governance_ruleset r on r.ruleset_version = l.ruleset_version
  left join evolution_snapshots s on s.id = l.source_snapshot_ref
  left join effect f on f.row_id = l.row_id
)
select c.scope, c.reason, count(*) as rows, count(*) filter (where c.weight = 1) as units
from reasoned c
where c.reason is not null
group by c.scope, c.reason
union all
select g.scope, 'no_row', count(*), count(*) filter (where i.inherits)
from governance_group g
join governance_inventory i on i.inventory_key = g.inventory_key
where coalesce(i.member_count, 1) > 0
  and not exists (
    select from governance_candidate_state s
    where s.inventory_key = g.inventory_key and s.scope = g.scope and s.row_state in ('active', 'retired'))
group by g.scope
order by 1, 2
