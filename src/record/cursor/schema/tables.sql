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

grant select on {{schema}}.gov_worker_lease, {{schema}}.gov_worker_cursor to {{reader}}, {{worker}}, {{api}}, {{pruner}};
