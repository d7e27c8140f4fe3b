-- Optional host table: the coverage that each class needs. Added by `gcos init --with profiles`; the demo
-- estate uses the same file.
create table coverage_profile (
  profile_code text primary key,
  class_pattern text not null unique,
  risk_class text not null
    constraint coverage_profile_risk_class_known
      check (risk_class in ('write_high', 'write_low', 'read', 'descriptive')),
  ttl interval not null
    constraint coverage_profile_ttl_positive check (ttl > interval '0'),
  class_0 boolean not null default false,
  inherits boolean not null default false,
  primary_axis_family text,
  required_links jsonb not null default '{}'
    constraint coverage_profile_links_by_scope check (jsonb_typeof(required_links) = 'object'),
  status text not null default 'active'
);
comment on table coverage_profile is
  'Coverage profiles: for each class (exact name or LIKE pattern) its risk, how long a verdict stays valid, and the required links.';
comment on column coverage_profile.class_pattern is 'An object class, or a LIKE pattern over object classes.';
comment on column coverage_profile.inherits is
  'True: the container represents its members and only the container is counted. False: every member is counted.';
comment on column coverage_profile.required_links is
  'Scope to array of links: owner, approval, audit, rollback, issue_event, law_ref, design_ref, dot_authority, heartbeat.';
