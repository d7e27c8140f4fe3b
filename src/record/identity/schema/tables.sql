set local role {{trust_owner}};
-- API tokens. INVARIANT: the secret is nowhere; what is stored is a hash of what the client presents, which
-- is itself a hash of the secret. No login may read this table: the view below has everything else.
create table {{trust}}.gcos_token (
  token_id text primary key check (token_id ~ '^[0-9a-f]{12}$'),
  token_name text not null check (token_name <> '' and token_name = btrim(token_name) and length(token_name) <= 100),
  person_ref text,
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  secret_check text not null generated always as (encode(sha256(secret_hash), 'hex')) stored,
  permissions text[] not null check (permissions <@ array['read', 'gate', 'decide', 'operate'] and permissions <> '{}'),
  scopes text[] check (scopes <> '{}'),
  owners text[] check (owners <> '{}'),
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text,
  constraint gcos_token_ends check (expires_at > created_at),
  constraint gcos_token_revoked_by_known check ((revoked_at is null) = (revoked_by is null)),
  constraint gcos_token_acts_for_person check (permissions <@ array['read', 'gate'] or (person_ref is not null and scopes is null and owners is null)),
  constraint gcos_token_gate_has_all_scopes check (scopes is null or not 'gate' = any (permissions))
);
comment on table {{trust}}.gcos_token is 'GCOS: API tokens with the hash of their secret; no login may read it, governance_token shows the rest';
comment on column {{trust}}.gcos_token.person_ref is 'The person for whom it acts; null: a pipeline, which only reads and asks the gate';
comment on column {{trust}}.gcos_token.secret_check is 'A hash of secret_hash, for the log: another secret is another row';
comment on column {{trust}}.gcos_token.scopes is 'It reads only these scopes; null: no limit';
comment on column {{trust}}.gcos_token.owners is 'It reads, and asks about, only what these bodies own; null: no limit';
comment on column {{trust}}.gcos_token.created_by is 'The person who created it, or the login of a DBA without one';

-- When each token was last used, to the minute. A table of its own, so that using a token never waits for
-- another use or for its revocation, and makes no link of the log.
create table {{trust}}.gcos_token_use (
  token_id text primary key references {{trust}}.gcos_token (token_id),
  used_at timestamptz
);
comment on table {{trust}}.gcos_token_use is 'GCOS: when each token was last used; written at most once a minute';

create view {{trust}}.governance_token as
select t.token_id, t.token_name, t.person_ref, t.secret_check, t.permissions, t.scopes, t.owners, t.created_at, t.created_by, t.expires_at,
  t.revoked_at, t.revoked_by, u.used_at as last_used_at
from {{trust}}.gcos_token t
join {{trust}}.gcos_token_use u on u.token_id = t.token_id;
comment on view {{trust}}.governance_token is 'GCOS: API tokens, without their secrets';
grant select on {{trust}}.governance_token to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

create constraint trigger gcos_token_logged after insert or update or delete on {{trust}}.gcos_token
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_row('token', 'token_id', 'created',
    '{"revoked": ["revoked_at", "revoked_by"]}');
set local role {{owner}};
