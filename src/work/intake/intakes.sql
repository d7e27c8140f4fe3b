-- name: countWaiting
-- The backlog: items that wait for a retry, and dirty groups and objects.
select
  (select count(*) from event_pending e
    where e.event_domain = 'governance' and e.event_type_hint = 'gcos.retry.intake' and e.processed_at is null
      and e.capture_payload ->> 'dead_lettered_at' is null) as retrying,
  (select count(*) from event_pending e
    where e.event_domain = 'governance' and e.event_type_hint = 'gcos.retry.intake' and e.processed_at is null
      and e.capture_payload ->> 'dead_lettered_at' is not null) as dead_lettered,
  (select count(*) from governance_candidate_state c where c.dirty and c.row_state in ('active', 'retired')) as dirty_groups,
  (select count(*) from governance_candidate_object c where c.dirty and c.row_state in ('active', 'retired')) as dirty_objects
