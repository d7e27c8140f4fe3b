select e.id::text as id, e.event_type_hint as hint, e.entity_table, e.entity_ref, e.canonical_address,
  e.error_count::int4 as error_count, e.last_error, e.processed_at, e.capture_payload,
  case when starts_with(e.event_type_hint, 'gcos.retry.') then substr(e.event_type_hint, 12) else 'event' end as origin
from event_pending e
where e.event_domain = 'governance' and e.id::text = $1::text
