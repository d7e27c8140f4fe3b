insert into system_issues (code, issue_type, issue_class, sub_class, severity, entity_type, entity_code, source, source_system,
  coalesce_key, occurrence_count, reopen_count, run_id, evidence_snapshot, status, first_seen_at, last_seen_at)
values ('GCOS-TRIAL-' || pg_current_xact_id()::text, 'owner_gap', 'thiếu_quan_hệ', 'coverage', $1::text, 'governance_group', 'gcos-trial',
  'gcos', 'gcos', 'gov:trial:' || pg_current_xact_id()::text, 1, 0, 'gcos-trial', '{}', 'open', now(), now())
returning true as written
