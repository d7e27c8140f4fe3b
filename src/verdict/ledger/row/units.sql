-- use: terms.sql

-- fragment: is_unit
-- Whether row `c` is a unit. A retired row whose source is gone is a tombstone; any other retired row is
-- represented by its group again.
c.weight = 1 and (c.row_state = 'active' or (c.row_state = 'retired' and c.evidence ? 'source_row_gone'))

-- fragment: judged
-- The rows `c` that are units, as `j`, with what their term follows from at :at. The conditions of the filter
-- follow it.
left join governance_ruleset r on r.ruleset_version = c.ruleset_version
left join evolution_snapshots s on s.id = c.source_snapshot_ref
left join effect f on f.row_id = c.row_id
where c.row_state in ('active', 'retired') and {{is_unit}}
  and c.scope = any (:scopes::text[])
  and (:inventory_key::text is null or c.inventory_key = :inventory_key::text)
  and (:owner::text is null or c.owner_scope = :owner::text)
  and (not :unowned::boolean or c.owner_scope is null)

-- fragment: asked
-- Whether the term and the cause of `t`, and the group `i`, are those of the filter.
(:term::text is null or t.term = :term::text or (:term::text = 'total' and t.term <> 'not_relevant'))
  and (:cause::text is null or t.cause = :cause::text)
  and (:collection::text is null or i.source_registry = :collection::text)
  and (:object_class::text is null or i.object_class = :object_class::text)

-- name: pageGroupUnits
-- Containers that count as one unit, after a key, with their terms at :at.
-- nullable: axis_family, lifecycle_status, owner_scope, coverage_outcome, :term, :cause, :inventory_key, :owner, :collection, :object_class
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect(:at::timestamptz) x
)
select j.inventory_key, j.scope, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, j.owner_scope, j.risk_class,
  j.candidate_verdict, j.verdict_line, j.coverage_outcome, j.scan_time, j.stale_after, t.term, t.cause
from (
  select c.inventory_key, c.scope, c.owner_scope, c.risk_class, c.candidate_verdict, c.verdict_line, c.coverage_outcome, c.scan_time,
    c.stale_after, c.row_state = 'retired' as tombstone, f.change,
    gcos_validity_reason(r.status, s.id is not null, c.recompute_status, c.dirty, c.stale_after, :at::timestamptz) as reason
  from governance_candidate_state c
  {{judged}}
    and (c.inventory_key, c.scope) > (:after_key::text, :after_scope::text)
) as j
join governance_inventory i on i.inventory_key = j.inventory_key
cross join lateral (select {{term_of}} as term, {{cause_of}} as cause) as t
where {{asked}}
order by j.inventory_key, j.scope
limit :limit::bigint

-- name: pageObjectUnits
-- Objects that count as one unit each, after a key, with their terms at :at. In the order of the index of
-- live rows, so that a page reads no rows of earlier rulesets.
-- nullable: axis_family, lifecycle_status, owner_scope, coverage_outcome, birth_id, :term, :cause, :inventory_key, :owner, :collection, :object_class
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect(:at::timestamptz) x
)
select j.object_key, j.collection_name, j.entity_code, j.birth_id, j.inventory_key, j.scope, i.object_class, i.source_registry, i.axis_family,
  i.lifecycle_status, j.owner_scope, j.risk_class, j.candidate_verdict, j.verdict_line, j.coverage_outcome, j.scan_time, j.stale_after, t.term, t.cause
from (
  select c.object_key, c.collection_name, c.entity_code, c.birth_id, c.inventory_key, c.scope, c.owner_scope, c.risk_class, c.candidate_verdict,
    c.verdict_line, c.coverage_outcome, c.scan_time, c.stale_after, c.row_state = 'retired' as tombstone, f.change,
    gcos_validity_reason(r.status, s.id is not null, c.recompute_status, c.dirty, c.stale_after, :at::timestamptz) as reason
  from governance_candidate_object c
  {{judged}}
    and (c.object_key, c.scope) > (:after_key::text, :after_scope::text)
) as j
join governance_inventory i on i.inventory_key = j.inventory_key
cross join lateral (select {{term_of}} as term, {{cause_of}} as cause) as t
where {{asked}}
order by j.object_key, j.scope
limit :limit::bigint

-- name: pageFailedUnits
-- The births that readFailed counts, one by one, after a key.
-- nullable: species_code, status, member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
),
failed as (
  {{failed_births}}
)
select b.id::bigint as birth_id, s.scope, b.collection_name::text as collection_name, b.entity_code::text as entity_code,
  b.species_code::text as species_code, b.status::text as status, m.status as member_status, f.dead
from failed f
join birth_registry b on b.id = f.id
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
cross join unnest(:scopes::text[]) as s(scope)
where {{failed_unit}}
  and (b.id, s.scope) > (:after_id::bigint, :after_scope::text)
order by b.id, s.scope
limit :limit::bigint

-- name: pageKeyless
-- The births that readKeyless counts, in each of the scopes, after a place in the table: they have no other
-- key. Within one snapshot a row does not move.
-- nullable: birth_id, collection_name, entity_code
select b.tableoid::bigint as table_id, b.ctid::text as place, s.scope, b.id::bigint as birth_id, b.collection_name::text as collection_name,
  b.entity_code::text as entity_code
from birth_registry b
cross join unnest(:scopes::text[]) as s(scope)
where {{keyless}} and (b.tableoid, b.ctid, s.scope) > (:after_table::bigint::oid, :after_place::text::tid, :after_scope::text)
order by b.tableoid, b.ctid, s.scope
limit :limit::bigint

-- name: listDimensions
-- What a filter may name.
select distinct i.source_registry, i.object_class from governance_inventory i

-- name: hasGroup
select exists (select from governance_inventory i where i.inventory_key = :inventory_key::text) as found
