update event_type_registry set active = active
where event_domain = 'governance' and event_type = 'trial.' || pg_current_xact_id()::text
returning true as written
