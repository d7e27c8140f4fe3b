-- name: listRows
-- The dead letters: items and signals that are marked as dead, and lost signals. Only signals in
-- governance_hold are GCOS's own; a signal is lost if its row no longer waits in event_pending.
-- nullable: entity_table, entity_ref, last_error, dead_lettered_at, :origin, :after
select l.id, l.origin, l.hint, l.entity_table, l.entity_ref, l.error_count, l.last_error, l.dead_lettered_at, l.lost
from (
  select r.retry_id::text collate "C" as id, r.worker as origin, 'gcos.retry.' || r.worker as hint, r.failed_table as entity_table, r.failed_ref as entity_ref,
    r.failures as error_count, r.last_error, r.dead_lettered_at, false as lost
  from gov_worker_retry r
  where r.completed_at is null and r.dead_lettered_at is not null
  union all
  select h.pending_id::text collate "C", 'event', h.event_type, h.subject_table, h.subject_ref, coalesce(e.error_count, 0)::int4,
    case when e.id is null then 'its row is gone from event_pending' else e.last_error::text end,
    h.dead_lettered_at, e.id is null
  from governance_hold h
  left join event_pending e on e.id = h.pending_id and e.processed_at is null
  where h.dead_lettered_at is not null or e.id is null
) l
where (:origin::text is null or l.origin = :origin::text)
  and (:after::text is null or l.id > :after::text)
order by l.id
limit :limit::int4

-- name: showRow
-- An item of a worker; a signal that waits, is dead or lost; or a promoted signal, which is recognised by its
-- source.
-- nullable: entity_table, entity_ref, canonical_address, last_error, processed_at, capture_payload
-- nullable: dead_lettered_at
select r.retry_id::text as id, 'gcos.retry.' || r.worker as hint, r.failed_table as entity_table, r.failed_ref as entity_ref,
  r.address as canonical_address, r.failures as error_count, r.last_error, r.completed_at as processed_at,
  jsonb_build_object('source', r.source, 'round', r.round, 'detail', r.detail, 'first_failed_at', r.first_failed_at,
    'last_failed_at', r.last_failed_at, 'next_attempt_at', r.next_attempt_at, 'dead_lettered_at', r.dead_lettered_at,
    'retried_by', r.retried_by) as capture_payload,
  r.dead_lettered_at, false as lost, r.worker as origin
from gov_worker_retry r
where r.retry_id::text = :id::text
union all
select h.pending_id::text, h.event_type, h.subject_table, h.subject_ref, e.canonical_address::text, coalesce(e.error_count, 0)::int4,
  case when e.id is null then 'its row is gone from event_pending' else e.last_error::text end, null, e.capture_payload::jsonb,
  h.dead_lettered_at, e.id is null, 'event'
from governance_hold h
left join event_pending e on e.id = h.pending_id and e.processed_at is null
where h.pending_id::text = :id::text
union all
select e.id::text, e.event_type_hint::text, e.entity_table::text, e.entity_ref::text, e.canonical_address::text, e.error_count::int4,
  e.last_error::text, e.processed_at, e.capture_payload::jsonb, null, false, 'event'
from event_pending e
where e.event_domain = 'governance' and not starts_with(e.event_type_hint, 'gcos.') and e.id::text = :id::text
  and e.processed_at is not null and e.capture_payload ->> 'source' = 'gcos'
  and not exists (select from governance_hold h where h.pending_id = e.id)

-- name: retryRows
-- nullable: :ids, :worker
select letter_id as id, letter_origin as origin
from gcos_retry_dead_letters(:ids::text[], :worker::text)

-- name: countRows
-- The dead letters by origin. Of signals that are not marked as dead, only the thousand oldest are looked
-- up in event_pending: the supervisor counts every 30 s, and there may be a year of them.
select l.origin, count(*) as letters
from (
  select r.worker as origin
  from gov_worker_retry r
  where r.completed_at is null and r.dead_lettered_at is not null
  union all
  select 'event' from governance_hold h where h.dead_lettered_at is not null
  union all
  select 'event'
  from (select o.pending_id from governance_hold o where o.dead_lettered_at is null order by o.order_no limit 1000) as h
  left join event_pending e on e.id = h.pending_id and e.processed_at is null
  where e.id is null
) l
group by l.origin
order by l.origin

-- name: listOrigins
-- The workers that have run, and those of items that wait for a retry.
select o.origin collate "C" as origin
from (
  select l.worker as origin from gov_worker_lease l
  union
  select r.worker from gov_worker_retry r
) as o
order by 1

-- name: deadSignalRows
-- Dead signals that can be retried. A lost signal has no row in event_pending, so it cannot be retried.
-- nullable: :ids
select h.pending_id::text as id, h.order_no
from governance_hold h
join event_pending e on e.id = h.pending_id and e.processed_at is null
where h.dead_lettered_at is not null
  and (:ids::text[] is null or h.pending_id::text = any (:ids::text[]))
order by h.order_no
