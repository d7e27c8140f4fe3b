insert into event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref, capture_payload, error_count)
values ('governance', 'trial', 'governance_candidate_state', 'gcos-trial', 'governance:gcos-trial', 'gcos', '{"count": 1}', 0)
returning true as written
