-- The host's event bus: event types, outbox, pending events, subscriptions, read marks and heartbeats.
create table event_type_registry (
  event_domain text not null,
  event_type text not null,
  event_stream text not null,
  delivery_lane text not null default 'immediate',
  default_severity text,
  description text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  code text not null generated always as (event_domain || '.' || event_type) stored unique,
  primary key (event_domain, event_type)
);

create table event_outbox (
  id uuid not null default gen_random_uuid(),
  event_domain text not null,
  event_type text not null,
  event_stream text not null,
  delivery_lane text not null,
  event_severity text,
  event_subject_table text not null,
  event_subject_ref text,
  canonical_address text not null,
  actor_ref text not null,
  source_system text not null,
  correlation_id uuid,
  payload_classification text not null default 'safe_metadata',
  safe_payload jsonb not null default '{}',
  occurred_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);

create table event_pending (
  id uuid primary key default gen_random_uuid(),
  event_domain text not null,
  event_type_hint text not null,
  entity_table text not null,
  entity_ref text,
  canonical_address text not null,
  actor_ref text not null,
  capture_payload jsonb,
  processed_at timestamptz,
  error_count integer not null default 0,
  last_error text,
  created_at timestamptz not null default now()
);

create table event_subscription (
  id uuid primary key default gen_random_uuid(),
  recipient_ref text not null,
  event_domain text,
  event_type text,
  event_stream text,
  scope_subject_table text,
  scope_filter jsonb not null default '{}',
  mute boolean not null default false,
  created_at timestamptz not null default now()
);

create table event_read (
  event_id uuid not null,
  actor_ref text not null,
  read_at timestamptz not null default now(),
  read_status_source text not null
);

create table queue_heartbeat (
  executor_name text primary key,
  executor_kind text not null,
  last_tick_at timestamptz,
  last_tick_status text,
  lease_owner text,
  ticks_total bigint not null default 0,
  metadata jsonb not null default '{}'
);
