-- use: terms.sql

-- name: readOwnedTerms
-- How many units of each inventory group and owner have which term at :at, in :scope or in every scope. The
-- same units as in readTermRows, with their owners. Of objects, the rows with ids from :first to :last;
-- groups only if :with_groups.
-- nullable: owner_scope, :scope
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect(:at::timestamptz) x
),
unit as (
  select g.row_id, g.scope, g.inventory_key, g.owner_scope, g.row_state = 'retired' as tombstone,
    g.candidate_verdict, g.verdict_line, g.coverage_outcome, g.ruleset_version, g.source_snapshot_ref, g.recompute_status, g.dirty, g.stale_after
  from governance_candidate_state g
  where :with_groups::boolean and g.weight = 1 and (g.row_state = 'active' or (g.row_state = 'retired' and g.evidence ? 'source_row_gone'))
    and (:scope::text is null or g.scope = :scope::text)
  union all
  select o.row_id, o.scope, o.inventory_key, o.owner_scope, o.row_state = 'retired',
    o.candidate_verdict, o.verdict_line, o.coverage_outcome, o.ruleset_version, o.source_snapshot_ref, o.recompute_status, o.dirty, o.stale_after
  from governance_candidate_object o
  where o.row_id >= :first::bigint and o.row_id <= :last::bigint
    and o.weight = 1 and (o.row_state = 'active' or (o.row_state = 'retired' and o.evidence ? 'source_row_gone'))
    and (:scope::text is null or o.scope = :scope::text)
),
judged as (
  select u.scope, u.inventory_key, u.owner_scope, u.tombstone,
    gcos_validity_reason(r.status, s.id is not null, u.recompute_status, u.dirty, u.stale_after, :at::timestamptz) as reason,
    u.candidate_verdict, u.verdict_line, u.coverage_outcome, f.change
  from unit u
  left join governance_ruleset r on r.ruleset_version = u.ruleset_version
  left join evolution_snapshots s on s.id = u.source_snapshot_ref
  left join effect f on f.row_id = u.row_id
),
named as (
  select j.scope, j.inventory_key, j.owner_scope,
    {{term_of}} as term
  from judged j
)
select n.scope, n.inventory_key, n.owner_scope, n.term, count(*) as units
from named n
group by n.scope, n.inventory_key, n.owner_scope, n.term

-- name: readLargestGroups
-- The inventory groups with the most members, as the intake recorded them, and how many there are in all. A
-- group whose members are not counted yet comes last; one without members is left out.
-- nullable: axis_family, lifecycle_status, unresolved_reason, member_count
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits, i.member_count,
  count(*) over () as groups, coalesce(sum(i.member_count) over (), 0)::bigint as members
from governance_inventory i
where i.member_count is distinct from 0
order by i.member_count desc nulls last, i.inventory_key
limit :limit::bigint
