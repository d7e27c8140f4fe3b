-- The feed: what changed, numbered in the order in which it became visible. Two tables that are only inserted
-- into: the transaction that causes a change writes the entry, and one duty of the worker gives it its number
-- later, because no transaction can know the order of the commits.
create table {{schema}}.gov_feed_entry (
  entry_id bigint generated always as identity primary key,
  event_id uuid not null,
  -- The transaction that wrote the entry. A column, because xmin is that of a savepoint.
  xact xid8 not null,
  entry_type text not null check (entry_type ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
  subject text not null,
  payload jsonb not null check (jsonb_typeof(payload) = 'object'),
  occurred_at timestamptz not null
);
create index gov_feed_entry_by_xact on {{schema}}.gov_feed_entry (xact, entry_id);
comment on table {{schema}}.gov_feed_entry is 'GCOS: what changed, written by the transaction that changed it; addresses and counts only';
comment on column {{schema}}.gov_feed_entry.entry_id is 'In the order of writing, which is not the order of the commits: gov_feed has that';
comment on column {{schema}}.gov_feed_entry.event_id is 'Unique everywhere; of an emitted signal, the id of the signal';
comment on column {{schema}}.gov_feed_entry.xact is 'The transaction that wrote the entry; 0: the duty that numbers, from the log';

create table {{schema}}.gov_feed (
  number bigint primary key,
  entry_id bigint not null unique,
  numbered_at timestamptz not null
);
comment on table {{schema}}.gov_feed is 'GCOS: the numbers of the feed, without gaps; GCOS deletes them, lowest first, after a time (setting history.keep)';

create table {{schema}}.gov_feed_state (
  only_row integer primary key check (only_row = 1),
  last_number bigint not null,
  log_position bigint not null,
  seen pg_snapshot,
  system_identifier text
);
comment on table {{schema}}.gov_feed_state is 'GCOS: how far the feed is numbered';
comment on column {{schema}}.gov_feed_state.log_position is 'The last link of gcos_log that the feed has';
comment on column {{schema}}.gov_feed_state.seen is 'The snapshot of the last round: every entry visible in it has a number';
comment on column {{schema}}.gov_feed_state.system_identifier is 'The server to whose transactions seen belongs';
insert into {{schema}}.gov_feed_state (only_row, last_number, log_position)
select 1, 0, h.position from {{trust}}.gcos_log_head h;

grant select on {{schema}}.gov_feed_entry, {{schema}}.gov_feed, {{schema}}.gov_feed_state to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
