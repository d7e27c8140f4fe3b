-- name: listRows
-- Objects and collections that are not accepted, by collection and key. A null filter matches all. :after
-- is the last key of the previous page.
-- nullable: entity_code, scopes, quarantined_at, quarantined_by, quarantine_reason, :state, :collection
-- nullable: :code, :after
select s.subject_key, s.collection_name, s.entity_code, s.input_state, s.cause, s.scopes, s.since, s.relapses, s.quarantined_at,
  s.quarantined_by, s.quarantine_reason, s.pending
from governance_input_state s
left join governance_input_state last on last.subject_key = :after::text
where s.cured_at is null
  and (:state::text is null or s.input_state = :state::text or :state::text = 'quarantined' and s.quarantined_at is not null)
  and (:collection::text is null or s.collection_name = :collection::text)
  and (:code::text is null or s.entity_code = :code::text)
  and (:after::text is null or (s.collection_name, s.subject_key) > (last.collection_name, last.subject_key))
order by s.collection_name, s.subject_key
limit :limit::bigint

-- name: findSubject
select s.subject_key from governance_input_state s where s.subject_key = :key::text

-- name: listCollections
-- The collections of stored problems, and of births.
select c.collection collate "C" as collection
from (
  select s.collection_name as collection from governance_input_state s
  union
  select i.source_registry from governance_inventory i
) as c
order by 1

-- name: codeExists
-- Whether an object with this code was born, in the collection if one is given, or is a stored problem.
-- nullable: :collection
select exists (
    select from governance_input_state s
    where s.entity_code = :code::text and (:collection::text is null or s.collection_name = :collection::text))
  or exists (
    select from birth_registry b
    where b.entity_code = :code::text and (:collection::text is null or b.collection_name = :collection::text)) as known

-- name: listOrigins
-- The origins of births, and those that a decision is about.
select distinct o.source collate "C" as source
from (
  select b.dot_origin::text as source from birth_registry b where b.dot_origin is not null
  union all
  select t.source from governance_input_trust t where t.source_kind = 'origin'
) as o
order by 1

-- name: countStates
-- The number of objects and collections per state. For needs_backfill: the births of the groups that wait
-- for the backfill.
select s.input_state, count(*) as subjects
from governance_input_state s
where s.cured_at is null
group by s.input_state
union all
select 'needs_backfill', coalesce(sum(i.member_count), 0)::bigint
from governance_inventory i
where i.inventory_key in (
  select c.inventory_key from governance_candidate_state c
  where c.row_state = 'active' and c.input_quality_state = 'needs_backfill')

-- name: listTrust
-- The trust decisions; :source null: of all sources.
-- nullable: reason, login, verified, :source
select t.source_kind, t.source, t.scope, t.level, t.reason, t.set_by, t.login, t.verified, t.set_at, t.pending
from governance_input_trust t
where :source::text is null or t.source = :source::text
order by t.source_kind, t.source, t.scope
limit :limit::bigint
