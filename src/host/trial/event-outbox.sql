insert into event_outbox (id, event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table, event_subject_ref,
  canonical_address, actor_ref, source_system, payload_classification, safe_payload, occurred_at)
values (gen_random_uuid(), 'governance', 'trial.' || pg_current_xact_id()::text, $1::text, $2::text, $3::text, 'governance_candidate_state', 'gcos-trial',
  'governance:gcos-trial', 'gcos', 'gcos', 'safe_metadata', '{"count": 1}', now())
returning true as written
