-- The host's member registries: one row per member of a class, with the references that are evidence of its
-- links. A DOT is a tool of the host; an IU is an information unit.
create table dot_tools (
  dot_code text primary key,
  name text not null,
  tier text not null,
  approval_ref text,
  audit_ref text,
  rollback_ref text,
  law_ref text,
  design_ref text,
  authority_ref text,
  heartbeat_ref text,
  status text not null default 'active'
);

create table information_unit (
  unit_id text primary key,
  title text not null,
  unit_type text not null,
  law_ref text,
  design_ref text,
  status text not null default 'active'
);

create table route_registry (
  route_code text primary key,
  path text not null,
  executor_dot text not null,
  approval_ref text,
  audit_ref text,
  rollback_ref text,
  issue_event_ref text,
  status text not null default 'active'
);

create table policy_registry (
  policy_code text primary key,
  title text not null,
  approval_ref text,
  audit_ref text,
  law_ref text,
  status text not null default 'active'
);

create table exception_registry (
  exception_code text primary key,
  subject_collection text not null,
  subject_code text,
  scope text not null,
  reason text not null,
  approval_ref text,
  expires_at timestamptz,
  status text not null default 'active'
);

create table table_registry (
  table_code text primary key,
  name text not null,
  source_collection text not null,
  status text not null default 'active'
);

create table binding_registry (
  binding_code text primary key,
  table_code text not null references table_registry (table_code),
  source_collection text not null,
  status text not null default 'active'
);
