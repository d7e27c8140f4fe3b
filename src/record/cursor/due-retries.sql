select e.id::text as id, e.entity_table, e.entity_ref, e.error_count::int4 as error_count, e.last_error, due.at as next_attempt_at,
  e.capture_payload ->> 'source' as source, (e.capture_payload -> 'detail')::jsonb as detail
from event_pending e
-- Other rows of this table are the host's: nothing is assumed about what theirs contain.
cross join lateral (
  select case when e.event_type_hint = 'gcos.retry.' || $1::text then (e.capture_payload ->> 'next_attempt_at')::timestamptz end as at
) due
where e.event_domain = 'governance'
  and e.event_type_hint = 'gcos.retry.' || $1::text
  and e.processed_at is null
  and ($2::text is null or e.capture_payload ->> 'source' = $2::text)
  and e.capture_payload ->> 'dead_lettered_at' is null
  and due.at <= $3::timestamptz
order by due.at, e.entity_table, e.entity_ref
limit $4::int4
