-- Which decisions about a collection mean what for the verdict, and which statuses are final. Rows, not code.
insert into governance_setting (setting_key, setting_value, about)
values
  ('verdict.collection_decisions',
    '[{"coverage_status": "BIRTH_EXEMPT_%", "coverage_scope_status": "%", "means": "retired"},
      {"coverage_status": "%", "coverage_scope_status": "USER_EXCLUDED", "means": "class_0"},
      {"coverage_status": "%", "coverage_scope_status": "FUTURE_SCOPE", "means": "deferred_birth"},
      {"coverage_status": "%", "coverage_scope_status": "ORPHAN_REGISTRY", "means": "unknown"},
      {"coverage_status": "BIRTH_REQUIRED", "coverage_scope_status": "IN_SCOPE", "means": "in_scope"}]',
    'what a decision about a collection means; the first row that fits both columns (% at the end: any continuation) counts, no fit means unknown; retired, class_0, deferred_birth, unknown or in_scope'),
  ('lifecycle.terminal', '["retired", "superseded", "merged"]',
    'statuses after which an object is no longer governed');
