set local role {{trust_owner}};
-- Sign-ins through the organisation's OpenID Connect provider. Which subject of which issuer is which person.
-- INVARIANT: what the log and other tables keep of it is the hash, with a salt that goes with the row: once
-- the row is gone, the hash leads to no subject, also not by guessing subjects.
create table {{trust}}.gcos_person_identity (
  issuer text not null check (issuer ~ '^https?://' and length(issuer) <= 500),
  subject text not null check (length(subject) between 1 and 255),
  person_ref text not null references {{trust}}.governance_actor (person_ref),
  salt uuid not null,
  identity_hash text not null unique,
  mapped_at timestamptz not null,
  mapped_by text not null,
  primary key (issuer, subject)
);
create index gcos_person_identity_of_person on {{trust}}.gcos_person_identity (person_ref);
comment on table {{trust}}.gcos_person_identity is 'GCOS: the subjects of providers, and whose they are; no login may read it, governance_identity shows the rest';

create view {{trust}}.governance_identity as
select i.identity_hash, i.person_ref, i.issuer, i.mapped_at, i.mapped_by from {{trust}}.gcos_person_identity i;
comment on view {{trust}}.governance_identity is 'GCOS: who signs in through which provider, without their subjects';

-- The evidence of a sign-in: the ID token as the provider signed it.
create table {{trust}}.gcos_sign_in_evidence (
  token_id text primary key references {{trust}}.gcos_token (token_id),
  id_token text not null,
  nonce_hash bytea not null unique
);
comment on table {{trust}}.gcos_sign_in_evidence is 'GCOS: the ID tokens of sign-ins; erased with the person or by history.keep; no login may read it';
create index gcos_token_sign_ins_by_age on {{trust}}.gcos_token (created_at) where credential_kind = 'oidc';

create view {{trust}}.governance_sign_in as
select t.token_id as sign_in_id, t.person_ref, t.identity_hash, t.evidence_hash, t.permissions, t.created_at, t.expires_at, t.revoked_at, t.revoked_by
from {{trust}}.gcos_token t
where t.credential_kind = 'oidc';
comment on view {{trust}}.governance_sign_in is 'GCOS: sign-ins through the provider, without their evidence';
grant select on {{trust}}.governance_identity, {{trust}}.governance_sign_in
  to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

create function {{trust}}.gcos_log_identity()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
begin
  if tg_op <> 'INSERT' then
    perform {{trust}}.gcos_log_append('identity.unmapped', old.identity_hash, jsonb_build_object('person_ref', old.person_ref));
  end if;
  if tg_op <> 'DELETE' then
    perform {{trust}}.gcos_log_append('identity.mapped', new.identity_hash,
      jsonb_build_object('person_ref', new.person_ref, 'mapped_at', new.mapped_at, 'mapped_by', new.mapped_by));
  end if;
  return null;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_log_identity() from public;
create constraint trigger gcos_person_identity_logged after insert or update or delete on {{trust}}.gcos_person_identity
  deferrable initially deferred for each row execute function {{trust}}.gcos_log_identity();

-- The claims of an ID token, as they stand in it; null: it is none. Its signature is not checked here: the
-- server did that, and the evidence lets others do it again.
create function {{trust}}.gcos_id_token_claims(p_id_token text)
returns jsonb
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  body constant text := translate(split_part(p_id_token, '.', 2), '-_', '+/');
  claims jsonb;
begin
  if (length(p_id_token) <= 16000 and p_id_token ~ '^[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+$') is not true then
    return null;
  end if;
  claims := convert_from(decode(body || repeat('=', (4 - length(body) % 4) % 4), 'base64'), 'UTF8')::jsonb;
  return case when jsonb_typeof(claims -> 'iss') = 'string' and jsonb_typeof(claims -> 'sub') = 'string'
    and jsonb_typeof(claims -> 'nonce') = 'string' and length(claims ->> 'nonce') >= 16
    and jsonb_typeof(claims -> 'iat') = 'number' and jsonb_typeof(claims -> 'exp') = 'number' then claims end;
exception when others then
  return null;
end
$gcos_function$;

-- Asserts that a person has signed in through the provider, and opens their session. INVARIANT: only the
-- login of the server calls it, by its own statement, for a transaction that acts for no person. Issuer and
-- subject are those of the ID token, and the person is the one to whom an administrator mapped them. One ID
-- token, and one nonce, is one sign-in. What it opens has level oidc, for some hours.
create function {{trust}}.gcos_sign_in(p_id_token text)
returns table (outcome text, issuer text, subject text, session_id text, secret text, expires_at timestamptz)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  skew constant interval := '2 minutes';
  claims constant jsonb := {{trust}}.gcos_id_token_claims(p_id_token);
  settings constant jsonb := coalesce((select s.setting_value from {{trust}}.governance_setting s where s.setting_key = 'sign_in.session'), '{}');
  granted constant text[] := array(select p #>> '{}' from jsonb_array_elements(coalesce(settings -> 'permissions', '["decide", "gate", "operate", "read"]')) p order by 1);
  mapped record;
  credential record;
  opened record;
  ends timestamptz;
  problem text;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.login into actor from {{trust}}.gcos_actor(null, null) a;
  select i.person_ref, i.identity_hash, a.active into mapped
  from {{trust}}.gcos_person_identity i
  join {{trust}}.governance_actor a on a.person_ref = i.person_ref
  where i.issuer = claims ->> 'iss' and i.subject = claims ->> 'sub'
  for share;
  problem := case
    when actor.outcome = 'not_direct' then 'not_direct'
    when quote_ident(session_user)::regrole <> '{{server}}'::regrole or actor.login <> session_user then 'not_server'
    when claims is null then 'evidence_invalid'
    when to_timestamp((claims ->> 'exp')::double precision) <= moment - skew then 'evidence_expired'
    when not to_timestamp((claims ->> 'iat')::double precision) between moment - interval '15 minutes' and moment + skew then 'evidence_expired'
    when mapped.person_ref is null then 'identity_unmapped'
    when not mapped.active then 'person_inactive'
    when exists (select from {{trust}}.gcos_sign_in_evidence e where e.nonce_hash = sha256(convert_to(claims ->> 'nonce', 'UTF8'))) then 'replayed'
  end;
  if problem is null then
    ends := moment + make_interval(hours => least(coalesce((settings ->> 'hours')::integer, 12), 24));
    -- Its own secret is thrown away: only the secret of the session presents it.
    select n.id, n.hash into credential from {{trust}}.gcos_new_secret() n;
    insert into {{trust}}.gcos_token (token_id, token_name, person_ref, secret_hash, permissions, created_at, created_by, expires_at,
      credential_kind, identity_hash, evidence_hash)
    values (credential.id, 'sign-in', mapped.person_ref, credential.hash, granted, moment, session_user, ends,
      'oidc', mapped.identity_hash, encode(sha256(convert_to(p_id_token, 'UTF8')), 'hex'))
    on conflict (evidence_hash) do nothing;
    if not found then
      problem := 'replayed';
    end if;
  end if;
  if problem is not null then
    return query select problem, claims ->> 'iss', claims ->> 'sub', null::text, null::text, null::timestamptz;
    return;
  end if;
  insert into {{trust}}.gcos_token_use (token_id) values (credential.id);
  insert into {{trust}}.gcos_sign_in_evidence (token_id, id_token, nonce_hash)
  values (credential.id, p_id_token, sha256(convert_to(claims ->> 'nonce', 'UTF8')));
  select n.id, n.secret, n.hash into opened from {{trust}}.gcos_new_secret() n;
  insert into {{trust}}.gcos_session (session_id, token_id, secret_hash, created_at, opened_at, expires_at)
  values (opened.id, credential.id, opened.hash, moment, moment, ends);
  return query select 'ok'::text, claims ->> 'iss', claims ->> 'sub', opened.id, opened.secret, ends;
end
$gcos_function$;
comment on function {{trust}}.gcos_sign_in(text) is 'GCOS: opens a session for a person who signed in through the provider';

-- Says whose subject of a provider it is. Only an administrator does, by their own statement.
create function {{trust}}.gcos_map_identity(p_person text, p_issuer text, p_subject text)
returns table (outcome text, identity_hash text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  salt constant uuid := gen_random_uuid();
  problem text;
  own text;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, 'operate') a;
  problem := case
    when actor.outcome = 'not_direct' then 'not_direct'
    when not {{trust}}.gcos_is_administrator() then 'not_administrator'
    when (p_issuer ~ '^https?://' and length(p_issuer) <= 500 and length(p_subject) between 1 and 255) is not true then 'identity_invalid'
    when not exists (select from {{trust}}.governance_actor a where a.person_ref = p_person) then 'person_unknown'
    when exists (select from {{trust}}.governance_actor a where a.person_ref = p_person and a.erased) then 'person_erased'
  end;
  if problem is null then
    insert into {{trust}}.gcos_person_identity as i (issuer, subject, person_ref, salt, identity_hash, mapped_at, mapped_by)
    values (p_issuer, p_subject, p_person, salt,
      encode(sha256(uuid_send(salt) || sha256(convert_to(p_issuer, 'UTF8')) || convert_to(p_subject, 'UTF8')), 'hex'), {{trust}}.gcos_now(), coalesce(actor.person_ref, actor.login))
    on conflict (issuer, subject) do nothing;
    select i.identity_hash into own from {{trust}}.gcos_person_identity i
    where i.issuer = p_issuer and i.subject = p_subject and i.person_ref = p_person;
    if not found then
      problem := 'identity_taken';
    end if;
  end if;
  return query select coalesce(problem, 'ok'), own, actor.login;
end
$gcos_function$;
comment on function {{trust}}.gcos_map_identity(text, text, text) is 'GCOS: says whose a subject of a provider is';

-- Erases what identifies a person: subjects, sign-ins with their ID tokens, sessions, the names of tokens,
-- the login. The name in governance_actor stays, without a right to act, so that no other person gets it and
-- what the person decided stays theirs. Only an administrator does it, by their own statement.
create function {{trust}}.gcos_erase_person(p_person text)
returns table (outcome text, identities bigint, sign_ins bigint, sessions bigint, tokens bigint, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  person record;
  problem text;
  of_identities bigint;
  of_sign_ins bigint;
  of_sessions bigint;
  of_tokens bigint;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, 'operate') a;
  problem := case
    when actor.outcome = 'not_direct' then 'not_direct'
    when not {{trust}}.gcos_is_administrator() then 'not_administrator'
  end;
  if problem is null then
    -- A sign-in at the same time waits here, or is waited for: afterwards its person is not active.
    select a.erased into person from {{trust}}.governance_actor a where a.person_ref = p_person for update;
    problem := case when not found then 'person_unknown' when person.erased then 'person_erased' end;
  end if;
  if problem is not null then
    return query select problem, 0::bigint, 0::bigint, 0::bigint, 0::bigint, actor.login;
    return;
  end if;
  update {{trust}}.governance_actor a
  set login = null, active = false, may_act_for_others = false, erased = true
  where a.person_ref = p_person;
  delete from {{trust}}.gcos_session s where s.token_id in (select t.token_id from {{trust}}.gcos_token t where t.person_ref = p_person);
  get diagnostics of_sessions = row_count;
  of_sign_ins := {{trust}}.gcos_delete_sign_ins(array(
    select t.token_id from {{trust}}.gcos_token t where t.person_ref = p_person and t.credential_kind = 'oidc'));
  delete from {{trust}}.gcos_person_identity i where i.person_ref = p_person;
  get diagnostics of_identities = row_count;
  update {{trust}}.gcos_token t
  set token_name = 'erased', revoked_at = coalesce(t.revoked_at, moment),
    revoked_by = coalesce(t.revoked_by, actor.person_ref, actor.login)
  where t.person_ref = p_person;
  get diagnostics of_tokens = row_count;
  perform {{trust}}.gcos_log_append('person.erased', p_person, jsonb_build_object('person_ref', p_person, 'erased_at', moment,
    'erased_by', coalesce(actor.person_ref, actor.login), 'identities', of_identities, 'sign_ins', of_sign_ins, 'tokens', of_tokens));
  return query select 'ok'::text, of_identities, of_sign_ins, of_sessions, of_tokens, actor.login;
end
$gcos_function$;
comment on function {{trust}}.gcos_erase_person(text) is 'GCOS: erases what identifies a person';

-- Deletes sign-ins with their evidence and sessions. The log keeps that there was a sign-in, with hashes.
create function {{trust}}.gcos_delete_sign_ins(p_token_ids text[])
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  gone bigint;
begin
  delete from {{trust}}.gcos_session s where s.token_id = any (p_token_ids);
  delete from {{trust}}.gcos_sign_in_evidence e where e.token_id = any (p_token_ids);
  delete from {{trust}}.gcos_token_use u where u.token_id = any (p_token_ids);
  delete from {{trust}}.gcos_token t where t.token_id = any (p_token_ids) and t.credential_kind = 'oidc';
  get diagnostics gone = row_count;
  return gone;
end
$gcos_function$;

-- Deletes sign-ins that are over and older than the setting history.keep says, p_limit at a time.
create function {{trust}}.gcos_delete_old_sign_ins(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_history_bound('sign_ins');
begin
  if ((select min(t.created_at) from {{trust}}.gcos_token t where t.credential_kind = 'oidc') < bound - interval '1 day') is not true then
    return 0;
  end if;
  return {{trust}}.gcos_delete_sign_ins(array(
    select t.token_id from {{trust}}.gcos_token t
    where t.credential_kind = 'oidc' and t.created_at < bound and t.expires_at < {{trust}}.gcos_now()
    order by t.created_at limit least(p_limit, 5000)));
end
$gcos_function$;
revoke all on function {{trust}}.gcos_id_token_claims(text), {{trust}}.gcos_sign_in(text), {{trust}}.gcos_map_identity(text, text, text),
  {{trust}}.gcos_erase_person(text), {{trust}}.gcos_delete_sign_ins(text[]), {{trust}}.gcos_delete_old_sign_ins(integer) from public;
grant execute on function {{trust}}.gcos_sign_in(text) to {{server}};
grant execute on function {{trust}}.gcos_map_identity(text, text, text), {{trust}}.gcos_erase_person(text) to {{api}}, {{server}};
grant execute on function {{trust}}.gcos_delete_old_sign_ins(integer) to {{owner}};
set local role {{owner}};

-- The same for the worker, counted as all history is.
create function {{trust}}.gcos_prune_sign_ins(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  gone constant bigint := {{trust}}.gcos_delete_old_sign_ins(p_limit);
begin
  perform {{trust}}.gcos_note_pruned('sign_ins', gone, {{trust}}.gcos_history_bound('sign_ins'));
  return gone;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_prune_sign_ins(integer) from public;
grant execute on function {{trust}}.gcos_prune_sign_ins(integer) to {{worker}};
