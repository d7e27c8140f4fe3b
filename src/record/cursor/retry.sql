-- name: recordFailureRows
-- nullable: next_attempt
select failed_table, failed_ref, failures, next_attempt
from gcos_record_failures(:worker::text, :source::text, :round::text, :fence::int8, :tables::text[], :refs::text[], :addresses::text[], :errors::text[], :details::text[])

-- name: dueRetryRows
-- nullable: :source
select r.retry_id::text as id, r.failed_table, r.failed_ref, r.failures, r.last_error, r.source, r.detail
from gov_worker_retry r
where r.worker = :worker::text and r.completed_at is null and r.next_attempt_at <= :at::timestamptz
  and (:source::text is null or r.source = :source::text)
order by r.next_attempt_at, r.failed_table, r.failed_ref
limit :limit::int4

-- name: completeRetryRows
select gcos_complete_retries(:worker::text, :source::text, :round::text, :fence::int8, :ids::text[]) as completed
