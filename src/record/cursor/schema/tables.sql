-- Progress that survives any crash: the right to work (lease), and the position of the work (cursor). Only
-- the functions below write both tables. The fillfactor leaves space for HOT updates by renewals and
-- advances.
create table {{schema}}.gov_worker_lease (
  worker text not null check (worker ~ '^[a-z][a-z0-9_]{0,30}$'),
  source text not null check (source ~ '^[a-z0-9_.]{1,63}$'),
  holder text not null,
  fence bigint not null,
  acquired_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null,
  released boolean not null,
  primary key (worker, source)
) with (fillfactor = 50);
comment on table {{schema}}.gov_worker_lease is 'GCOS: the worker process that may work on a source, and until when by the server clock';

create table {{schema}}.gov_worker_cursor (
  worker text not null,
  source text not null,
  round text not null check (round <> ''),
  watermark_id text,
  id_type text not null check (id_type in ('integer', 'uuid')),
  horizon xid8,
  fence bigint not null,
  events_seen bigint not null default 0,
  attempts_written bigint not null default 0,
  dead_lettered bigint not null default 0,
  phase text,
  last_run_at timestamptz,
  last_run_summary jsonb not null default '{}',
  metadata jsonb not null default '{}',
  -- When a worker tried to move the cursor backwards; null after it has moved forward again.
  regressed_at timestamptz,
  primary key (worker, source, round),
  check (watermark_id ~ case id_type when 'integer' then '^-?[0-9]{1,40}$'
    else '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' end)
) with (fillfactor = 50);
comment on table {{schema}}.gov_worker_cursor is 'GCOS: the position of a worker; advanced in the transaction that does the work, under its fence';

-- Failed items: one open row per worker, source, table and key. The host's event_pending has no index for
-- them, and keeps the held signals of a year: workers that looked for retries there read all of it.
create table {{schema}}.gov_worker_retry (
  retry_id uuid primary key default gen_random_uuid(),
  worker text not null,
  source text not null,
  round text not null,
  failed_table text not null,
  failed_ref text not null,
  address text not null,
  failures integer not null,
  last_error text not null,
  detail jsonb not null,
  first_failed_at timestamptz not null,
  last_failed_at timestamptz not null,
  next_attempt_at timestamptz,
  dead_lettered_at timestamptz,
  retried_by text,
  completed_at timestamptz,
  constraint gov_worker_retry_dead_or_due check ((next_attempt_at is null) = (dead_lettered_at is not null))
);
comment on table {{schema}}.gov_worker_retry is 'GCOS: items that a worker could not process, until it could; GCOS deletes completed ones after a time (setting history.keep)';
comment on column {{schema}}.gov_worker_retry.next_attempt_at is 'Null: a dead letter, which only a person retries';
-- By hash, because references can exceed the maximum size of an index entry.
create unique index gov_worker_retry_one_open on {{schema}}.gov_worker_retry (worker, source, failed_table, md5(failed_ref))
  where completed_at is null;
create index gov_worker_retry_due on {{schema}}.gov_worker_retry (worker, next_attempt_at) where completed_at is null;
create index gov_worker_retry_completed on {{schema}}.gov_worker_retry (completed_at) where completed_at is not null;

-- What was pruned of each kind of history, in all.
create table {{schema}}.gov_worker_pruned (
  kind text primary key,
  pruned bigint not null,
  pruned_at timestamptz not null
);
comment on table {{schema}}.gov_worker_pruned is 'GCOS: how many rows of history the worker has pruned, by kind';

grant select on {{schema}}.gov_worker_lease, {{schema}}.gov_worker_cursor, {{schema}}.gov_worker_retry, {{schema}}.gov_worker_pruned
  to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
