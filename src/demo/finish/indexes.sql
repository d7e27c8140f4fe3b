-- The few other indexes such a host has. None on born_at, and none that is unique on a birth's code.
create index birth_registry_entity_idx on birth_registry (collection_name, entity_code);
create index registry_changelog_time_idx on registry_changelog ("timestamp", id);
create index system_issues_coalesce_idx on system_issues (coalesce_key);
create index event_outbox_created_idx on event_outbox (created_at, id);
