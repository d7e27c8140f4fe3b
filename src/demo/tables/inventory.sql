-- The host's inventory and its logs: births, changes, issues and snapshots. The keys and indexes of the large
-- tables are added after the load (folder finish).
create table birth_registry (
  id serial,
  entity_code text not null,
  collection_name text not null,
  species_code text,
  composition_level text,
  dot_origin text,
  born_at timestamptz not null default now(),
  governance_role text,
  certified boolean default false,
  certified_at timestamptz,
  status text default 'born',
  canonical_address text
);

create table registry_changelog (
  id serial,
  entity_type text,
  entity_code text,
  action text,
  "timestamp" timestamp without time zone default (now() at time zone 'UTC'),
  alert_level text not null default 'none',
  resolved boolean not null default false,
  changed_by text,
  alert_detail text
);

create table meta_catalog (
  code text primary key,
  entity_type text not null unique,
  registry_collection text,
  collection_name text,
  species_code text,
  composition_level text,
  record_count integer default 0,
  status text default 'active'
);

create table collection_registry (
  code text primary key,
  collection_name text not null unique,
  governance_role text,
  coverage_status text,
  coverage_scope_status text,
  coverage_exemption_reason text,
  coverage_review_owner text,
  coverage_decided_at timestamptz,
  coverage_decided_by text
);

create table evolution_snapshots (
  id serial primary key,
  snapshot_at timestamptz not null default now(),
  scope text not null default 'global',
  metrics jsonb not null,
  delta_previous jsonb default '{}',
  notes text
);

create table system_issues (
  id bigserial,
  code text not null,
  title text,
  issue_type text,
  issue_class text,
  sub_class text,
  severity text,
  entity_type text,
  entity_code text,
  source text,
  source_system text,
  coalesce_key text,
  occurrence_count integer default 1,
  reopen_count integer not null default 0,
  business_logic_hash text,
  violation_hash text,
  run_id text,
  parent_issue_id bigint,
  evidence_snapshot json,
  status text default 'open',
  first_seen_at timestamptz default now(),
  last_seen_at timestamptz default now()
);
