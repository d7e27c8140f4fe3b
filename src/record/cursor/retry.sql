-- name: recordFailureRows
-- nullable: next_attempt
select failed_table, failed_ref, failures, next_attempt
from gcos_record_failures(:worker::text, :source::text, :round::text, :fence::int8, :tables::text[], :refs::text[], :addresses::text[], :errors::text[], :details::text[])

-- name: dueRetryRows
-- nullable: last_error, detail, :source
select e.id::text as id, e.entity_table, e.entity_ref, e.error_count::int4 as error_count, e.last_error, due.at as next_attempt_at,
  e.capture_payload ->> 'source' as source, (e.capture_payload -> 'detail')::jsonb as detail
from event_pending e
-- Cast only GCOS's own rows: other rows of this table belong to the host and may contain any value.
cross join lateral (
  select case when e.event_type_hint = 'gcos.retry.' || :worker::text then (e.capture_payload ->> 'next_attempt_at')::timestamptz end as at
) due
where e.event_domain = 'governance'
  and e.event_type_hint = 'gcos.retry.' || :worker::text
  and e.processed_at is null
  and (:source::text is null or e.capture_payload ->> 'source' = :source::text)
  and e.capture_payload ->> 'dead_lettered_at' is null
  and due.at <= :at::timestamptz
order by due.at, e.entity_table, e.entity_ref
limit :limit::int4

-- name: completeRetryRows
select gcos_complete_retries(:worker::text, :source::text, :round::text, :fence::int8, :ids::text[]) as completed
