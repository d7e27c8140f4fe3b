-- The meaning of collection decisions for verdicts, and the statuses that end governance of an object.
insert into {{trust}}.governance_setting (setting_key, setting_value, about)
values
  ('verdict.collection_decisions',
    '[{"coverage_status": "BIRTH_EXEMPT_%", "coverage_scope_status": "%", "means": "retired"},
      {"coverage_status": "%", "coverage_scope_status": "USER_EXCLUDED", "means": "class_0"},
      {"coverage_status": "%", "coverage_scope_status": "FUTURE_SCOPE", "means": "deferred_birth"},
      {"coverage_status": "%", "coverage_scope_status": "ORPHAN_REGISTRY", "means": "unknown"},
      {"coverage_status": "BIRTH_REQUIRED", "coverage_scope_status": "IN_SCOPE", "means": "in_scope"}]',
    'the meaning of a decision about a collection: retired, class_0, deferred_birth, unknown or in_scope; the first entry that matches both columns applies (a trailing % matches any continuation); no match means unknown'),
  ('lifecycle.terminal', '["retired", "superseded", "merged", "migrated"]',
    'values of the status and of the migration state after which an object is no longer governed'),
  ('lifecycle.columns', '{"migration_state": ["migration_state"], "supersedes": ["supersedes_id", "supersedes"], "pending": ["draft", "proposed", "planned"]}',
    'the columns of a member registry, of which the first that it has counts: the migration state of a member (migration_state), and the member that it replaces (supersedes); a member with a status in pending replaces nothing yet. A member that another one replaces has the lifecycle status superseded');
