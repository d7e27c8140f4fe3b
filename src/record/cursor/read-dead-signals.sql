select e.id::text as id,
  case when e.capture_payload ->> 'order' ~ '^[0-9]{1,18}$' then (e.capture_payload ->> 'order')::int8 end as order_no
from event_pending e
where e.event_domain = 'governance'
  and not starts_with(e.event_type_hint, 'gcos.retry.')
  and e.processed_at is null
  and e.error_count >= $1::int4
  and ($2::text[] is null or e.id::text = any ($2::text[]))
order by order_no
