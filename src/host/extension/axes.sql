-- Optional host table: the registered axes. Added by `gcos init --with axes`; the demo estate uses the same
-- file.
create table axis_registry (
  axis_code text primary key,
  axis_family text not null,
  object_class text,
  name text not null,
  description text,
  owner_gov_code text,
  status text not null default 'active',
  created_at timestamptz not null default now()
);
create index axis_registry_class_idx on axis_registry (object_class, axis_code);
comment on table axis_registry is
  'Axes: the dimensions by which objects are counted and grouped. An axis in use that has no row here is a finding.';
comment on column axis_registry.object_class is 'The class that the axis belongs to; null means any class.';
