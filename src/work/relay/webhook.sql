-- fragment: columns
w.webhook_id, w.location, w.types, w.format, w.secret, w.former_secret, w.allow_private, w.added_at, w.added_by, w.sent_number,
  w.delivered, w.delivered_at, w.failures, w.failing_since, w.next_attempt_at, w.last_error, w.disabled_at, w.former_until,
  coalesce(w.former_until > gcos_now(), false) as both_sign, s.last_number - w.sent_number as waiting, current_database()::text as database

-- name: readWebhooks
-- nullable: secret, former_secret, former_until, delivered_at, failing_since, next_attempt_at, last_error, disabled_at, :id
select {{columns}}
from gov_webhook w
cross join gov_feed_state s
where :id::int8 is null or w.webhook_id = :id::int8
order by w.webhook_id

-- name: readDue
-- The webhooks to which something may be sent now.
-- nullable: secret, former_secret, former_until, delivered_at, failing_since, next_attempt_at, last_error, disabled_at
select {{columns}}
from gov_webhook w
cross join gov_feed_state s
where w.disabled_at is null and (w.next_attempt_at is null or w.next_attempt_at <= gcos_now())
  and (w.sent_number < s.last_number or exists (
    select from gov_worker_retry r
    where r.worker = 'relay' and r.completed_at is null and r.next_attempt_at <= gcos_now() and starts_with(r.failed_ref, w.webhook_id || '/')))
order by w.webhook_id

-- name: readNext
-- In how many seconds the next attempt is due; and for how long entries wait for a webhook that does not fail.
-- nullable: next_seconds, lag_seconds
select (
    select greatest(extract(epoch from least(
      (select min(w.next_attempt_at) from gov_webhook w where w.disabled_at is null),
      (select min(r.next_attempt_at) from gov_worker_retry r where r.worker = 'relay' and r.completed_at is null)) - gcos_now()), 0)
  )::float8 as next_seconds, (
    select max(extract(epoch from gcos_now() - (
      select f.numbered_at from gov_feed f where f.number > w.sent_number order by f.number limit 1)))
    from gov_webhook w where w.disabled_at is null and w.failing_since is null
  )::float8 as lag_seconds

-- name: addWebhook
-- nullable: :secret
select gcos_add_webhook(:location::text, :types::text[], :format::text, :secret::text, :allow_private::bool) as id

-- name: rotateWebhook
select gcos_rotate_webhook(:id::int8, :secret::text, :hours::int4) as rotated

-- name: removeWebhook
select gcos_remove_webhook(:id::int8) as removed

-- name: noteSent
select gcos_webhook_sent(:id::int8, :number::int8, :delivered::int8) as noted

-- name: noteFailed
-- nullable: :retry_after
select gcos_webhook_failed(:id::int8, :error::text, :retry_after::float8, :gone::bool) as failures

-- name: giveUp
select gcos_webhook_give_up(:id::int8, :numbers::int8[], :refused::bool) as buried

-- name: readFailing
-- The webhooks that have failed for more than an hour, or whose receiver is gone.
-- nullable: last_error, failing_since, disabled_at
select w.webhook_id, w.last_error, w.failures, w.failing_since, w.disabled_at
from gov_webhook w
where w.disabled_at is not null or w.failing_since < gcos_now() - interval '1 hour'
order by w.webhook_id
