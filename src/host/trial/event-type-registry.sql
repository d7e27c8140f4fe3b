insert into event_type_registry (event_domain, event_type, event_stream, delivery_lane, default_severity, description, active)
values ('governance', 'trial.' || pg_current_xact_id()::text, $1::text, $2::text, $3::text, 'trial write of gcos doctor', false)
returning true as written
