-- name: listRows
-- The dead letters: items and signals that are marked as dead, and lost signals. Only signals in
-- governance_hold are GCOS's own; a signal is lost if its row no longer waits in event_pending.
-- nullable: entity_table, entity_ref, last_error, dead_lettered_at, :origin, :after
select l.id, l.origin, l.hint, l.entity_table, l.entity_ref, l.error_count, l.last_error, l.dead_lettered_at, l.lost
from (
  select e.id::text collate "C" as id, substr(e.event_type_hint, 12) as origin, e.event_type_hint::text as hint,
    e.entity_table::text as entity_table, e.entity_ref::text as entity_ref, e.error_count::int4 as error_count,
    e.last_error::text as last_error, e.capture_payload ->> 'dead_lettered_at' as dead_lettered_at, false as lost
  from event_pending e
  where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.processed_at is null
    and e.capture_payload ->> 'dead_lettered_at' is not null
  union all
  select h.pending_id::text collate "C", 'event', h.event_type, h.subject_table, h.subject_ref, coalesce(e.error_count, 0)::int4,
    case when e.id is null then 'its row is gone from event_pending' else e.last_error::text end,
    to_jsonb(h.dead_lettered_at) #>> '{}', e.id is null
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
select e.id::text as id, e.event_type_hint::text as hint, e.entity_table::text as entity_table, e.entity_ref::text as entity_ref,
  e.canonical_address::text as canonical_address, e.error_count::int4 as error_count, e.last_error::text as last_error, e.processed_at,
  e.capture_payload::jsonb as capture_payload, e.capture_payload ->> 'dead_lettered_at' as dead_lettered_at, false as lost,
  substr(e.event_type_hint, 12) as origin
from event_pending e
where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.id::text = :id::text
union all
select h.pending_id::text, h.event_type, h.subject_table, h.subject_ref, e.canonical_address::text, coalesce(e.error_count, 0)::int4,
  case when e.id is null then 'its row is gone from event_pending' else e.last_error::text end, null, e.capture_payload::jsonb,
  to_jsonb(h.dead_lettered_at) #>> '{}', e.id is null, 'event'
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
select l.origin, count(*) as letters
from (
  select substr(e.event_type_hint, 12) as origin
  from event_pending e
  where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.processed_at is null
    and e.capture_payload ->> 'dead_lettered_at' is not null
  union all
  select 'event'
  from governance_hold h
  left join event_pending e on e.id = h.pending_id and e.processed_at is null
  where h.dead_lettered_at is not null or e.id is null
) l
group by l.origin
order by l.origin

-- name: listOrigins
-- The workers that have run, and those of items that wait for a retry.
select o.origin collate "C" as origin
from (
  select l.worker as origin from gov_worker_lease l
  union
  select substr(e.event_type_hint, 12)
  from event_pending e
  where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.')
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
