-- The few other indexes of such a host. None is on born_at, and none is unique on the code of a birth.
create index birth_registry_entity_idx on birth_registry (collection_name, entity_code);
create index registry_changelog_time_idx on registry_changelog ("timestamp", id);
create index system_issues_coalesce_idx on system_issues (coalesce_key);
create index event_outbox_created_idx on event_outbox (created_at, id);
