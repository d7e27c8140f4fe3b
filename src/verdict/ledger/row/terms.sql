-- use: ../../../inventory/snapshot/fingerprint/row.sql

-- fragment: term_of
-- The term of unit `j`: the first that applies.
case
      when j.tombstone then 'retired'
      when j.reason is not null or j.candidate_verdict in ('unknown', 'needs_input') then 'unverified'
      when j.candidate_verdict = 'relevant' then
        case case when j.change is null then j.coverage_outcome end
          when 'covered' then 'covered' when 'orphan' then 'orphans' when 'exception' then 'exceptions' else 'unverified'
        end
      else j.candidate_verdict
    end

-- fragment: cause_of
-- Why unit `j` has its term; empty where the term says it.
case
      when j.tombstone then 'tombstone'
      when j.reason is not null then j.reason
      when j.candidate_verdict in ('unknown', 'needs_input') then j.candidate_verdict
      when j.candidate_verdict = 'relevant' and j.change is not null then j.change
      when j.candidate_verdict = 'relevant' and coalesce(j.coverage_outcome, 'not_evaluated') = 'not_evaluated' then 'not_evaluated'
      when j.candidate_verdict = 'deferred_birth' then case when j.verdict_line = 1 then 'unborn' else 'future_scope' end
      else ''
    end

-- fragment: failed_births
select distinct c.id, r.dead_lettered_at is not null as dead
  from gov_worker_retry r
  cross join lateral (select case when r.failed_ref ~ '^-?[0-9]{1,18}$' then r.failed_ref::bigint end as id) c
  where r.completed_at is null and r.failed_table = 'birth_registry'

-- fragment: failed_unit
b.collection_name = any (:collections::text[])
  and not exists (
    select from birth_registry e
    where e.collection_name = b.collection_name and e.entity_code = b.entity_code and e.id < b.id)
  and not exists (
    select from governance_candidate_object o
    where o.object_key = gcos_object_key(b.collection_name::text, b.entity_code::text) and o.scope = s.scope
      and o.row_state = 'active')

-- name: readTermRows
-- The term of every unit (with :owner: of this owner) at :at, counted per scope and inventory group. Each
-- unit has exactly one term, the first that applies. A retired row whose source is gone is a tombstone.
-- Any other retired row is represented by its group again and is not a unit. An exception counts only
-- while it is in force, whatever the row records; a gap that an exception accepts by now no longer counts
-- as an orphan. Of objects, the rows with ids from :first to :last; groups only if :with_groups.
-- nullable: axis_family, lifecycle_status, :owner
with effect as materialized (
  select x.row_id, x.change from governance_exception_effect(:at::timestamptz) x
),
unit as (
  select g.row_id, g.scope, g.inventory_key, null::bigint as key_hash, g.row_state = 'retired' as tombstone,
    g.candidate_verdict, g.verdict_line, g.coverage_outcome, g.ruleset_version, g.source_snapshot_ref, g.recompute_status, g.dirty, g.stale_after
  from governance_candidate_state g
  where :with_groups::boolean and g.weight = 1 and (g.row_state = 'active' or (g.row_state = 'retired' and g.evidence ? 'source_row_gone'))
    and (:owner::text is null or g.owner_scope = :owner::text)
  union all
  select o.row_id, o.scope, o.inventory_key, hashtextextended(o.entity_code collate "C", 0), o.row_state = 'retired',
    o.candidate_verdict, o.verdict_line, o.coverage_outcome, o.ruleset_version, o.source_snapshot_ref, o.recompute_status, o.dirty, o.stale_after
  from governance_candidate_object o
  where o.row_id >= :first::bigint and o.row_id <= :last::bigint
    and o.weight = 1 and (o.row_state = 'active' or (o.row_state = 'retired' and o.evidence ? 'source_row_gone'))
    and (:owner::text is null or o.owner_scope = :owner::text)
),
excepted as (
  -- Uses the reason function of governance_validity() directly, because this statement already reads
  -- every row.
  select u.scope, u.inventory_key, u.key_hash, u.tombstone,
    gcos_validity_reason(r.status, s.id is not null, u.recompute_status, u.dirty, u.stale_after, :at::timestamptz) as reason,
    u.candidate_verdict, u.verdict_line, u.coverage_outcome, f.change
  from unit u
  left join governance_ruleset r on r.ruleset_version = u.ruleset_version
  left join evolution_snapshots s on s.id = u.source_snapshot_ref
  left join effect f on f.row_id = u.row_id
),
counted as (
  select j.scope, j.inventory_key, j.key_hash,
    {{term_of}} as term,
    {{cause_of}} as cause
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

-- name: countDuplicates
-- Live rows beyond the first of one group or object, per scope. Unique indexes forbid them; the ledger
-- checks anyway. Of objects, those whose code has a hash from :first to :last (0 to 65535); groups only if
-- :with_groups.
select d.scope, sum(d.rows - 1)::bigint as duplicates
from (
  select g.scope, count(*) as rows
  from governance_candidate_state g
  where :with_groups::boolean and g.row_state in ('active', 'retired')
  group by g.scope, g.inventory_key
  having count(*) > 1
  union all
  select o.scope, count(*)
  from governance_candidate_object o
  where o.row_state in ('active', 'retired') and (hashtext(o.entity_code) & 65535) between :first::bigint and :last::bigint
  group by o.scope, o.collection_name, o.entity_code
  having count(*) > 1
) d
group by d.scope

-- name: readFailed
-- Births of the collections :collections that could not be processed and therefore have no row in the
-- scopes :scopes. They count as unverified. Only the first birth of a key is a unit. A tombstone of the
-- same key does not count as a row: it belongs to the object that existed before.
-- nullable: species_code, status, member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
),
failed as (
  {{failed_births}}
)
select s.scope, b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  m.status as member_status, f.dead, count(*) as units, sum(hashtextextended(b.entity_code::text collate "C", 0)) as keys
from failed f
join birth_registry b on b.id = f.id
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
cross join unnest(:scopes::text[]) as s(scope)
where {{failed_unit}}
group by s.scope, b.collection_name, b.species_code, b.status, m.status, f.dead

-- name: readKeyless
-- Births without a key: they belong to no group, so they have no row. They count as unverified.
select count(*) as units from birth_registry b where {{keyless}}
