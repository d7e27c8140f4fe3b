-- The host's laws, and its rules that are stored as rows. GCOS never writes the first three tables.
create table normative_registry (
  law_code text primary key,
  title text not null,
  version integer not null default 1,
  body text not null,
  enacted_at timestamptz,
  status text not null default 'enacted'
);

create table law_catalog (
  code text primary key,
  title text not null,
  first_law_code text not null references normative_registry (law_code),
  status text not null default 'active'
);

create table governance_docs (
  doc_code text primary key,
  title text not null,
  doc_kind text not null,
  law_code text references normative_registry (law_code),
  revision integer not null default 1,
  status text not null default 'active'
);

create table law_jurisdiction (
  code text primary key,
  law_code text not null references normative_registry (law_code),
  domain text not null,
  coverage_type text not null,
  unique (law_code, domain)
);

create table measurement_registry (
  measurement_id text primary key,
  measurement_name text not null,
  law_code text not null,
  method smallint,
  source_query text not null,
  target_query text not null,
  comparison text default 'strict_equals',
  severity text,
  enabled boolean default true,
  auto_generated boolean default false,
  last_run_at timestamptz,
  last_result text,
  last_evidence jsonb
);

create table pivot_definitions (
  code text primary key,
  name text not null,
  object_class text,
  source_collection text,
  group_spec jsonb not null,
  status text not null default 'active'
);

create table universal_rule_registry (
  rule_code text primary key,
  rule_kind text not null,
  statement text not null,
  law_ref text,
  owner_gov_code text,
  status text not null default 'active'
);

create table derived_objects_registry (
  code text primary key,
  object_type text not null,
  definition_source text,
  depends_on_collections text[] not null,
  depends_on_edges text[],
  refresh_strategy text,
  refresh_mode text,
  freshness_sla_seconds integer,
  stale_after timestamptz,
  last_computed_at timestamptz,
  recompute_status text default 'ok',
  stale_reason text,
  status text default 'active'
);
