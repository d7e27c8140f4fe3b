set local role {{trust_owner}};
-- The rulesets over time: one row per content, named by its hash, never deleted.
create table {{trust}}.governance_ruleset (
  ruleset_version text primary key,
  content_hash text not null unique,
  canonical_bytes bytea not null,
  components jsonb not null check (jsonb_typeof(components) = 'object'),
  family text not null check (family <> ''),
  owner text,
  status text not null default 'draft' check (status in ('draft', 'active', 'superseded')),
  activated_at timestamptz,
  activated_by text,
  approval_ref text,
  plan_hash text,
  supersedes text references {{trust}}.governance_ruleset (ruleset_version),
  created_at timestamptz not null,
  created_by text not null,
  notes text,
  constraint governance_ruleset_named_by_hash check (ruleset_version = 'gov-rs-' || left(content_hash, 12)),
  -- The prefix 'gcos-ruleset' and a zero byte separates these hashes from all others.
  constraint governance_ruleset_hashes
    check (content_hash = encode(sha256('\x67636f732d72756c6573657400'::bytea || canonical_bytes), 'hex')),
  constraint governance_ruleset_activated
    check ((status = 'draft') = (activated_at is null) and (activated_at is null) = (activated_by is null))
);
create unique index governance_ruleset_one_active_idx on {{trust}}.governance_ruleset (family) where status = 'active';
comment on table {{trust}}.governance_ruleset is 'GCOS: the rulesets over time, content-addressed; never deleted, content never changed';
comment on column {{trust}}.governance_ruleset.canonical_bytes is 'Canonical JSON (RFC 8785) of the rules, in UTF-8; content_hash is over these';
comment on column {{trust}}.governance_ruleset.components is 'The hashed parts, their tables and row counts, and the rules without reach rows';
comment on column {{trust}}.governance_ruleset.owner is 'The owner of these rules; null: unknown, and the ruleset cannot be activated';
comment on column {{trust}}.governance_ruleset.supersedes is 'The version that was active before, at the latest activation of this one';

-- Every activation, including that of a version that becomes active again. INVARIANT: one approval, one
-- activation.
create table {{trust}}.governance_ruleset_activation (
  id bigint generated always as identity primary key,
  ruleset_version text not null references {{trust}}.governance_ruleset (ruleset_version),
  family text not null,
  supersedes text references {{trust}}.governance_ruleset (ruleset_version),
  plan_hash text not null check (plan_hash <> ''),
  approval_ref text not null unique,
  person_ref text not null,
  login text not null,
  verified boolean not null,
  identity_level text not null generated always as (
    case when not verified then 'unverified' when login like 'token:%' then 'token' else 'login' end) stored,
  self_approved boolean not null,
  activated_at timestamptz not null
);
comment on column {{trust}}.governance_ruleset_activation.self_approved is 'Whether the approval of the proposer was counted';
comment on table {{trust}}.governance_ruleset_activation is 'GCOS: each activation of a ruleset, with the approval it used up; append-only';
create trigger governance_ruleset_activation_stays before update or delete or truncate on {{trust}}.governance_ruleset_activation
  for each statement execute function {{trust}}.gcos_refuse_change();

-- The activation that the current transaction has begun, and how far it has carried the verdicts. INVARIANT:
-- no row is ever committed: an activation is whole or did not happen. Only its own transaction sees the row.
create table {{trust}}.governance_unfinished_activation (
  ruleset_version text primary key references {{trust}}.governance_ruleset (ruleset_version),
  supersedes text not null references {{trust}}.governance_ruleset (ruleset_version),
  activated_at timestamptz not null,
  -- The groups that the change of rules reaches, derived once.
  reached_keys text[] not null,
  reached_scopes text[] not null,
  stage text not null default 'groups' check (stage in ('groups', 'objects', 'findings')),
  after_key text not null default '',
  after_scope text not null default '',
  groups_carried bigint not null default 0,
  groups_dirtied bigint not null default 0,
  objects_carried bigint not null default 0,
  objects_dirtied bigint not null default 0,
  findings_stamped bigint not null default 0
);
comment on table {{trust}}.governance_unfinished_activation is 'GCOS: the activation of a ruleset that a transaction has begun and not finished; never committed';

create function {{trust}}.gcos_refuse_unfinished()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if exists (select from {{trust}}.governance_unfinished_activation) then
    raise exception 'the activation of % is not finished: nothing of it can be committed', new.ruleset_version
      using errcode = 'object_not_in_prerequisite_state',
        hint = 'call gcos_continue_activation() in the same transaction until it returns finished';
  end if;
  return null;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_refuse_unfinished() from public;
create constraint trigger governance_unfinished_activation_refused after insert on {{trust}}.governance_unfinished_activation
  deferrable initially deferred for each row execute function {{trust}}.gcos_refuse_unfinished();

create function {{trust}}.gcos_keep_ruleset()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if tg_op = 'UPDATE' then
    if (new.ruleset_version, new.content_hash, new.canonical_bytes, new.components, new.family, new.created_at, new.created_by)
      is not distinct from
      (old.ruleset_version, old.content_hash, old.canonical_bytes, old.components, old.family, old.created_at, old.created_by)
      and (new.status <> 'draft' or old.status = 'draft') then
      return new;
    end if;
  end if;
  raise exception 'a ruleset stays as it was drafted: % is refused', lower(tg_op) using errcode = 'restrict_violation';
end
$gcos_function$;
revoke all on function {{trust}}.gcos_keep_ruleset() from public;
create trigger governance_ruleset_stays before update or delete on {{trust}}.governance_ruleset
  for each row execute function {{trust}}.gcos_keep_ruleset();
create trigger governance_ruleset_stays_whole before truncate on {{trust}}.governance_ruleset
  for each statement execute function {{trust}}.gcos_keep_ruleset();

grant select on {{trust}}.governance_ruleset, {{trust}}.governance_ruleset_activation to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant references on {{trust}}.governance_ruleset to {{owner}};
set local role {{owner}};

-- The reach of rules. A rule without a row reaches everything.
create table {{schema}}.governance_rule_reach (
  id bigint generated always as identity primary key,
  rule_kind text not null check (rule_kind in ('law', 'measurement')),
  rule_code text not null check (rule_code <> ''),
  scope text check (scope <> ''),
  axis_family text check (axis_family <> ''),
  source_registry text check (source_registry <> ''),
  origin text not null default 'operator' check (origin in ('jurisdiction', 'operator')),
  created_at timestamptz not null default now(),
  created_by text not null default session_user,
  unique nulls not distinct (rule_kind, rule_code, scope, axis_family, source_registry)
);
comment on table {{schema}}.governance_rule_reach is 'GCOS: the reach of each law or measurement; null means any. Hashed with the ruleset; a rule without a row reaches everything';
comment on column {{schema}}.governance_rule_reach.origin is 'jurisdiction: seeded from law_jurisdiction through the setting rule.reach_domains';

grant select on {{schema}}.governance_rule_reach to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
