insert into queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, lease_owner, ticks_total, metadata)
values ('gcos_trial_' || pg_current_xact_id()::text, 'gcos', now(), 'ok', 'gcos', 1, '{}')
returning true as written
