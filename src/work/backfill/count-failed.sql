-- Births that are set aside: to be tried again, and dead letters.
select
  count(*) filter (where e.capture_payload ->> 'dead_lettered_at' is null) as retrying,
  count(*) filter (where e.capture_payload ->> 'dead_lettered_at' is not null) as dead
from event_pending e
where e.event_domain = 'governance' and e.event_type_hint = 'gcos.retry.backfill' and e.processed_at is null
