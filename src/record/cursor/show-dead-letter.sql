-- An item of a worker, a signal that waits, is dead or lost, or one that has left since: promoted ones keep their sender.
select e.id::text as id, e.event_type_hint::text as hint, e.entity_table::text as entity_table, e.entity_ref::text as entity_ref,
  e.canonical_address::text as canonical_address, e.error_count::int4 as error_count, e.last_error::text as last_error, e.processed_at,
  e.capture_payload::jsonb as capture_payload, e.capture_payload ->> 'dead_lettered_at' as dead_lettered_at, false as lost,
  substr(e.event_type_hint, 12) as origin
from event_pending e
where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.id::text = $1::text
union all
select h.pending_id::text, h.event_type, h.subject_table, h.subject_ref, e.canonical_address::text, coalesce(e.error_count, 0)::int4,
  case when e.id is null then 'its row is gone from event_pending' else e.last_error::text end, null, e.capture_payload::jsonb,
  to_jsonb(h.dead_lettered_at) #>> '{}', e.id is null, 'event'
from governance_hold h
left join event_pending e on e.id = h.pending_id and e.processed_at is null
where h.pending_id::text = $1::text
union all
select e.id::text, e.event_type_hint::text, e.entity_table::text, e.entity_ref::text, e.canonical_address::text, e.error_count::int4,
  e.last_error::text, e.processed_at, e.capture_payload::jsonb, null, false, 'event'
from event_pending e
where e.event_domain = 'governance' and not starts_with(e.event_type_hint, 'gcos.') and e.id::text = $1::text
  and e.processed_at is not null and e.capture_payload ->> 'source' = 'gcos'
  and not exists (select from governance_hold h where h.pending_id = e.id)
