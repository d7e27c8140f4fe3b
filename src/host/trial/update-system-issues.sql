update system_issues set occurrence_count = occurrence_count + 1, last_seen_at = now()
where code = 'GCOS-TRIAL-' || pg_current_xact_id()::text
returning true as written
