-- The tables of the input gate: the contracts of collections, the trust in sources, and the objects and
-- collections that are not accepted.

create table {{schema}}.governance_input_contract (
  collection_name text primary key,
  required_fields text[] not null default '{}'
    constraint governance_input_contract_required_known
      check (required_fields <@ array['species_code', 'status', 'governance_role', 'dot_origin', 'composition_level']),
  content_fields text[] not null default '{species_code,status,governance_role}'
    constraint governance_input_contract_content_known
      check (content_fields <@ array['species_code', 'status', 'governance_role', 'dot_origin', 'composition_level']),
  code_pattern text,
  code_length integer constraint governance_input_contract_length_positive check (code_length > 0),
  max_age interval constraint governance_input_contract_age_positive check (max_age > interval '0'),
  origin text not null default 'person',
  updated_at timestamptz not null default clock_timestamp()
);
comment on table {{schema}}.governance_input_contract is 'GCOS: the requirements that births of a collection must meet to be accepted';
comment on column {{schema}}.governance_input_contract.required_fields is 'Columns of birth_registry that every birth of the collection must have';
comment on column {{schema}}.governance_input_contract.content_fields is 'Columns in which several births of one key must agree; if they differ, the state is conflict';
comment on column {{schema}}.governance_input_contract.code_pattern is 'Regular expression that every code must match; null: none';
comment on column {{schema}}.governance_input_contract.max_age is 'The age from which a birth is stale; null: the limit of input.limits applies';

create table {{schema}}.governance_input_trust (
  source_kind text not null check (source_kind in ('origin', 'collection')),
  source text not null,
  -- '*': every scope that has no row of its own.
  scope text not null default '*',
  level text not null check (level in ('trusted', 'monitored', 'denied', 'default')),
  reason text,
  set_by text not null,
  login text,
  verified boolean,
  set_at timestamptz not null,
  pending boolean not null default false,
  marked boolean not null default false,
  primary key (source_kind, source, scope)
);
comment on table {{schema}}.governance_input_trust is 'GCOS: trust level per source and scope; without a row the risk of the class decides';
comment on column {{schema}}.governance_input_trust.source_kind is 'origin: the dot_origin of births; collection: its births without an origin, and all of its births where it is denied';
comment on column {{schema}}.governance_input_trust.level is 'default: as if there were no row';
comment on column {{schema}}.governance_input_trust.login is 'The credential of the person: the session_user, or token:ID; null: no person decided';
comment on column {{schema}}.governance_input_trust.pending is 'Changed since the last evaluation of the objects and groups it concerns';
comment on column {{schema}}.governance_input_trust.marked is 'Whether the affected verdicts have been marked dirty since the change';

create table {{schema}}.governance_input_state (
  -- The key of the object. For a whole collection: its name after a prefix that no object key has.
  subject_key text primary key,
  collection_name text not null,
  entity_code text,
  input_state text not null
    constraint governance_input_state_known check (input_state in ('birth_or_registry_missing', 'invalid_schema', 'incomplete_input',
      'untrusted_source', 'duplicate', 'conflict', 'stale', 'quarantined')),
  cause text not null,
  scopes text[],
  birth_id bigint,
  since timestamptz not null,
  cured_at timestamptz,
  relapses integer not null default 0,
  quarantined_at timestamptz,
  quarantined_by text,
  quarantine_reason text,
  pending boolean not null default false,
  marked boolean not null default false
);
comment on table {{schema}}.governance_input_state is 'GCOS: objects and collections that are not accepted now or were not in the past; all others have no row';
comment on column {{schema}}.governance_input_state.entity_code is 'Null: the cause concerns the whole collection';
comment on column {{schema}}.governance_input_state.scopes is 'Scopes in which the state applies; null: every scope';
comment on column {{schema}}.governance_input_state.cured_at is 'When an evaluation found it corrected; null: still open';
comment on column {{schema}}.governance_input_state.quarantined_at is 'When a person, or GCOS after too many relapses, put the object in quarantine; null: not in quarantine';
create index governance_input_state_open on {{schema}}.governance_input_state (collection_name, subject_key) where cured_at is null;
create index governance_input_state_pending on {{schema}}.governance_input_state (subject_key) where pending;

grant select on {{schema}}.governance_input_contract, {{schema}}.governance_input_trust, {{schema}}.governance_input_state
  to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant insert, update on {{schema}}.governance_input_state to {{worker}};
grant update (pending, marked) on {{schema}}.governance_input_trust to {{worker}};
