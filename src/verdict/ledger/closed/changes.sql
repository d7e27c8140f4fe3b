-- What no longer stands at $1: live rows that do not hold any more, or of which the exceptions then make something else, by scope and reason,
-- and groups nobody has judged yet.
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect($1::timestamptz) x
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
  -- What governance_validity() asks, asked of each row here: every row is here already.
  select l.scope, l.weight,
    coalesce(gcos_validity_reason(r.status, s.id is not null, l.recompute_status, l.dirty, l.stale_after, $1::timestamptz), f.change) as reason
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
