-- name: latestBirth
-- The newest birth by key, to detect whether a write makes the host register a birth.
select coalesce(max(id), 0)::int8 as id from birth_registry

-- name: birthsAfter
select count(*) as births from birth_registry where id > :id::int8

-- name: insertRegistryChangelog
insert into registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by, alert_detail)
values ('governance_snapshot', 'gcos-trial', 'capture', localtimestamp, :alert_level::text, true, 'gcos', 'trial write of gcos doctor')
returning true as written

-- name: insertEvolutionSnapshots
insert into evolution_snapshots (snapshot_at, scope, metrics, delta_previous, notes)
values (now(), 'governance.scan', '{"trial": true}', '{}', 'trial write of gcos doctor')
returning true as written

-- name: insertSystemIssues
insert into system_issues (code, issue_type, issue_class, sub_class, severity, entity_type, entity_code, source, source_system,
  coalesce_key, occurrence_count, reopen_count, run_id, business_logic_hash, violation_hash, evidence_snapshot, status, first_seen_at,
  last_seen_at)
values ('GCOS-TRIAL-' || pg_current_xact_id()::text, 'owner_gap', 'thiếu_quan_hệ', 'coverage', :severity::text, 'governance_group', 'gcos-trial',
  'gcos', 'gcos', 'gov:trial:' || pg_current_xact_id()::text, 1, 0, 'gcos-trial', repeat('0', 64), repeat('0', 64), '{}', :status::text,
  now(), now())
returning true as written

-- name: updateSystemIssues
update system_issues set occurrence_count = occurrence_count + 1, last_seen_at = now()
where code = 'GCOS-TRIAL-' || pg_current_xact_id()::text
returning true as written

-- name: insertEventTypeRegistry
-- nullable: :severity
insert into event_type_registry (event_domain, event_type, event_stream, delivery_lane, default_severity, description, active)
values ('governance', 'trial.' || pg_current_xact_id()::text, :stream::text, :lane::text, :severity::text, 'trial write of gcos doctor', false)
returning true as written

-- name: updateEventTypeRegistry
update event_type_registry set active = active
where event_domain = 'governance' and event_type = 'trial.' || pg_current_xact_id()::text
returning true as written

-- name: insertEventOutbox
-- nullable: :severity
insert into event_outbox (id, event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table, event_subject_ref,
  canonical_address, actor_ref, source_system, payload_classification, safe_payload, occurred_at)
values (gen_random_uuid(), 'governance', 'trial.' || pg_current_xact_id()::text, :stream::text, :lane::text, :severity::text, 'governance_candidate_state', 'gcos-trial',
  'governance:gcos-trial', 'gcos', 'gcos', 'safe_metadata', '{"count": 1}', now())
returning true as written

-- name: insertEventPending
insert into event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref, capture_payload, error_count)
values ('governance', 'trial', 'governance_candidate_state', 'gcos-trial', 'governance:gcos-trial', 'gcos', '{"count": 1}', 0)
returning true as written

-- name: updateEventPending
update event_pending set error_count = error_count + 1, last_error = 'trial write of gcos doctor'
where event_domain = 'governance' and event_type_hint = 'trial' and entity_ref = 'gcos-trial'
returning true as written

-- name: insertEventSubscription
insert into event_subscription (recipient_ref, event_domain, scope_filter, mute)
values ('gcos-trial', 'governance', '{}', true)
returning true as written

-- name: updateEventSubscription
update event_subscription set mute = true
where recipient_ref = 'gcos-trial' and event_domain = 'governance'
returning true as written

-- name: insertEventRead
-- A read mark refers to a signal, so one statement writes both.
-- nullable: :severity
with signal as (
  insert into event_outbox (id, event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table, event_subject_ref,
    canonical_address, actor_ref, source_system, payload_classification, safe_payload, occurred_at)
  values (gen_random_uuid(), 'governance', 'trial.' || pg_current_xact_id()::text, :stream::text, :lane::text, :severity::text, 'governance_candidate_state', 'gcos-trial',
    'governance:gcos-trial', 'gcos', 'gcos', 'safe_metadata', '{"count": 1}', now())
  returning id
)
insert into event_read (event_id, actor_ref, read_at, read_status_source)
select id, 'gcos-trial', now(), 'gcos' from signal
returning true as written

-- name: insertQueueHeartbeat
insert into queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, lease_owner, ticks_total, metadata)
values ('gcos_trial_' || pg_current_xact_id()::text, 'gcos', now(), 'ok', 'gcos', 1, '{}')
returning true as written

-- name: updateQueueHeartbeat
update queue_heartbeat set ticks_total = ticks_total + 1
where executor_name = 'gcos_trial_' || pg_current_xact_id()::text
returning true as written
