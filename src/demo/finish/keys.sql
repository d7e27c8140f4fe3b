-- The keys of the other large tables, added after their load.
alter table registry_changelog add primary key (id);
alter table system_issues add primary key (id);
alter table system_issues add unique (code);
alter table event_outbox add primary key (id);
alter table event_read add primary key (event_id, actor_ref);
