update queue_heartbeat set ticks_total = ticks_total + 1
where executor_name = 'gcos_trial_' || pg_current_xact_id()::text
returning true as written
