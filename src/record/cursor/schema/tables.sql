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

insert into {{trust}}.governance_setting (setting_key, setting_value, about) values
  ('worker.paused', '{"paused": false, "pause": null, "resume": null}',
    'whether all workers are paused, and who paused and resumed them last, when and why; only gcos pause and gcos resume change it'),
  ('worker.retry', '{"attempts": 5, "base_seconds": 10, "cap_seconds": 3600}',
    'the number of attempts after which an item becomes a dead letter; the wait between attempts doubles from base to cap'),
  ('worker.watch', '{"silence_seconds": 120, "stall_seconds": 900, "lag_seconds": 300, "quiet_seconds": 600, "dead_letter_overflow": 100}',
    'after how many seconds a worker counts as silent, stalled or behind; for how long a lease must have no takeover until its conflict is resolved; how many dead letters of the backfill are too many');
