-- The catalogue of finding types. An operator may add types as rows.
create table {{schema}}.governance_finding_type (
  finding_type text primary key
    constraint governance_finding_type_name_short check (finding_type ~ '^[a-z][a-z0-9_]{0,44}$'),
  family text not null
    constraint governance_finding_type_family_short check (family ~ '^[a-z][a-z0-9_]{0,14}$'),
  bucket text not null,
  base_severity text not null
    constraint governance_finding_type_base_known check (base_severity in ('critical', 'high', 'medium', 'low')),
  max_severity text not null
    constraint governance_finding_type_max_known check (max_severity in ('critical', 'high', 'medium', 'low')),
  raised_when text not null,
  event_type text not null,
  route text not null
    constraint governance_finding_type_route_known check (route in ('owner', 'council', 'siv', 'siv_and_council')),
  cool_down interval,
  ceiling integer
    constraint governance_finding_type_ceiling_positive check (ceiling > 0),
  closed_when text not null,
  constraint governance_finding_type_severity_rises check (
    array_position(array['low', 'medium', 'high', 'critical'], base_severity)
      <= array_position(array['low', 'medium', 'high', 'critical'], max_severity))
);
comment on table {{schema}}.governance_finding_type is 'GCOS: the catalogue of finding types; an operator may add rows';
comment on column {{schema}}.governance_finding_type.bucket is 'The host''s class of the issue (system_issues.issue_class)';
comment on column {{schema}}.governance_finding_type.cool_down is 'Null: the value of the setting finding.cool_down for the severity';
comment on column {{schema}}.governance_finding_type.ceiling is 'Null: the value of the setting finding.ceiling';

-- One row per coalesce key: guarantees uniqueness and fast lookup without an index on the host's table. Only
-- system_issues stores whether a finding is open and how often it was observed.
create table {{schema}}.governance_finding_key (
  coalesce_key text primary key,
  issue_id bigint,
  issue_code text not null unique,
  finding_type text not null references {{schema}}.governance_finding_type (finding_type),
  subject text not null,
  scope text,
  -- A copy of the columns in system_issues, because the host has no index on them.
  entity_type text,
  entity_code text,
  parent_key text,
  is_summary boolean not null default false,
  severity text not null,
  routes text[] not null,
  ruleset text,
  announced boolean not null default false,
  notified_at timestamptz
)
-- Each row is updated twice in the transaction that inserts it: its issue, and its announcement.
with (fillfactor = 70);
-- By hash, because object codes can exceed the maximum size of an index entry.
create index governance_finding_key_subject_idx on {{schema}}.governance_finding_key (hashtextextended(subject, 0), finding_type);
create index governance_finding_key_entity_idx on {{schema}}.governance_finding_key (hashtextextended(entity_code, 0));
create index governance_finding_key_type_idx on {{schema}}.governance_finding_key (finding_type);
create index governance_finding_key_parent_idx on {{schema}}.governance_finding_key (parent_key) where parent_key is not null;
comment on table {{schema}}.governance_finding_key is 'GCOS: maps a coalesce key to its row in system_issues; only the functions of the finding module write it';
comment on column {{schema}}.governance_finding_key.announced is 'Whether recipients were notified of the current opening of the finding';

grant select on {{schema}}.governance_finding_type, {{schema}}.governance_finding_key to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
