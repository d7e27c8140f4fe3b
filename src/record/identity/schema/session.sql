set local role {{trust_owner}};
-- Browser sessions. A session is another secret for a token, for some hours: it has the token's person,
-- permissions, limits and end. opened_at null: a link that was made and not used yet.
create table {{trust}}.gcos_session (
  session_id text primary key check (session_id ~ '^[0-9a-f]{12}$'),
  token_id text not null references {{trust}}.gcos_token (token_id),
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  created_at timestamptz not null,
  opened_at timestamptz,
  expires_at timestamptz not null,
  constraint gcos_session_ends check (expires_at > created_at)
);
create index gcos_session_of_token on {{trust}}.gcos_session (token_id);
create index gcos_session_by_end on {{trust}}.gcos_session (expires_at);
comment on table {{trust}}.gcos_session is 'GCOS: browser sessions, and links that open one, with the hash of their secret; no login may read it';

-- A new secret of the form that the product can recognise, gcos_ID_SECRET with a checksum, and the hash under
-- which it is found. Three random UUIDs have 366 random bits; their hash has 256.
create function {{trust}}.gcos_new_secret()
returns table (id text, secret text, hash bytea)
language plpgsql volatile
rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  id := encode(substring(sha256(uuid_send(gen_random_uuid())) for 6), 'hex');
  secret := format('gcos_%s_%s', id, encode(sha256(
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'));
  secret := secret || encode(substring(sha256(convert_to(secret, 'UTF8')) for 4), 'hex');
  hash := sha256(convert_to(encode(sha256(convert_to(secret, 'UTF8')), 'hex'), 'UTF8'));
  return next;
end
$gcos_function$;

-- Makes a link that opens one session, once, within ten minutes. Only the person of the token can make one,
-- with their login: a token makes no further credentials.
create function {{trust}}.gcos_create_link(p_token_id text)
returns table (outcome text, link text, expires_at timestamptz, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  token record;
  made record;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, null) a;
  if actor.login <> session_user then
    raise exception 'a token cannot create links' using errcode = 'UG033';
  end if;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, null::timestamptz, actor.login;
    return;
  end if;
  select t.person_ref, t.revoked_at is null and t.expires_at > moment as is_active into token
  from {{trust}}.gcos_token t where t.token_id = p_token_id and t.credential_kind = 'token';
  if not found or token.person_ref is distinct from actor.person_ref then
    return query select 'token_unknown'::text, null::text, null::timestamptz, actor.login;
    return;
  elsif not token.is_active then
    return query select 'token_revoked'::text, null::text, null::timestamptz, actor.login;
    return;
  end if;
  select s.id, s.secret, s.hash into made from {{trust}}.gcos_new_secret() s;
  insert into {{trust}}.gcos_session (session_id, token_id, secret_hash, created_at, expires_at)
  values (made.id, p_token_id, made.hash, moment, moment + interval '10 minutes');
  return query select 'ok'::text, made.secret, moment + interval '10 minutes', actor.login;
end
$gcos_function$;
comment on function {{trust}}.gcos_create_link(text) is 'GCOS: makes a link that opens one browser session';

-- Opens a session for whoever knows a token or an unused link; p_credential is its SHA-256, in hex. A link is
-- used up. The session lasts twelve hours, and never longer than its token. Sessions that ended a day ago are
-- forgotten here.
create function {{trust}}.gcos_open_session(p_credential text)
returns table (session_id text, secret text, expires_at timestamptz)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  moment constant timestamptz := {{trust}}.gcos_now();
  presented constant bytea := sha256(convert_to(p_credential, 'UTF8'));
  of_token text;
  used record;
  token record;
  made record;
  ends timestamptz;
begin
  delete from {{trust}}.gcos_session s where s.expires_at < moment - interval '1 day';
  -- Deleting it is using it: of two at once, one finds nothing.
  delete from {{trust}}.gcos_session s where s.secret_hash = presented and s.opened_at is null
  returning s.token_id, s.expires_at into used;
  if found and used.expires_at <= moment then
    raise exception 'the link has expired' using errcode = 'UG031';
  end if;
  of_token := coalesce(used.token_id, (select t.token_id from {{trust}}.gcos_token t where t.secret_hash = presented));
  select t.token_id, t.person_ref, t.permissions, t.expires_at, t.revoked_at is not null or a.active is not true as is_revoked into token
  from {{trust}}.gcos_token t
  left join {{trust}}.governance_actor a on a.person_ref = t.person_ref
  where t.token_id = of_token;
  if not found then
    raise exception 'there is no such token or link' using errcode = 'UG030';
  elsif token.person_ref is null then
    raise exception 'the token % is that of a pipeline, which does not sign in', token.token_id using errcode = 'UG033';
  elsif token.is_revoked then
    raise exception 'the token % was revoked, or its person is not active', token.token_id using errcode = 'UG032';
  elsif token.expires_at <= moment then
    raise exception 'the token % has expired', token.token_id using errcode = 'UG031';
  elsif not 'read' = any (token.permissions) then
    raise exception 'the token % has no permission read', token.token_id using errcode = 'UG033';
  end if;
  ends := least(token.expires_at, moment + interval '12 hours');
  select s.id, s.secret, s.hash into made from {{trust}}.gcos_new_secret() s;
  insert into {{trust}}.gcos_session (session_id, token_id, secret_hash, created_at, opened_at, expires_at)
  values (made.id, token.token_id, made.hash, moment, moment, ends);
  return query select made.id, made.secret, ends;
end
$gcos_function$;
comment on function {{trust}}.gcos_open_session(text) is 'GCOS: opens a browser session for a token or a link';

-- Ends the session of that secret, or all sessions and unused links of its person; returns how many.
create function {{trust}}.gcos_close_session(p_credential text, p_everywhere boolean)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  presented constant bytea := sha256(convert_to(p_credential, 'UTF8'));
  person text;
  ended bigint;
begin
  select t.person_ref into person
  from {{trust}}.gcos_session s
  join {{trust}}.gcos_token t on t.token_id = s.token_id
  where s.secret_hash = presented and s.opened_at is not null;
  if not found then
    return 0;
  end if;
  delete from {{trust}}.gcos_session s
  where s.secret_hash = presented
    or p_everywhere and s.token_id in (select t.token_id from {{trust}}.gcos_token t where t.person_ref = person);
  get diagnostics ended = row_count;
  return ended;
end
$gcos_function$;
comment on function {{trust}}.gcos_close_session(text, boolean) is 'GCOS: ends browser sessions';

-- Whom this transaction acts for, by the credential that it presented; no row: it presented none.
create function {{trust}}.gcos_whoami()
returns table (token_id text, token_name text, level text, person_ref text, approver_type text, permissions text[], scopes text[], owners text[], expires_at timestamptz)
language plpgsql stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return query
    select t.token_id, t.token_name, t.credential_kind, t.person_ref, a.approver_type, t.permissions, t.scopes, t.owners, t.expires_at
    from {{trust}}.gcos_identity() i
    join {{trust}}.gcos_token t on t.token_id = i.token_id
    left join {{trust}}.governance_actor a on a.person_ref = t.person_ref;
end
$gcos_function$;
comment on function {{trust}}.gcos_whoami() is 'GCOS: the identity that this transaction presented';
-- The tokens that this transaction may see. A presented token sees those of its person, or itself if it has
-- none; with the permission to operate it sees all. A login that presents nothing sees all, as it may read
-- governance_token.
create function {{trust}}.gcos_visible_tokens()
returns setof {{trust}}.governance_token
language plpgsql stable
rows 100
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  own record;
begin
  select t.token_id, t.person_ref, 'operate' = any (t.permissions) as sees_all, t.scopes is not null or t.owners is not null as is_limited
  into own
  from {{trust}}.gcos_identity() i
  join {{trust}}.gcos_token t on t.token_id = i.token_id;
  return query
    select t.* from {{trust}}.governance_token t
    where own.token_id is null or own.sees_all or t.token_id = own.token_id
      or (not own.is_limited and t.person_ref = own.person_ref);
end
$gcos_function$;
comment on function {{trust}}.gcos_visible_tokens() is 'GCOS: the tokens, without their secrets, that this transaction may see';
revoke all on function {{trust}}.gcos_new_secret(), {{trust}}.gcos_create_link(text), {{trust}}.gcos_open_session(text),
  {{trust}}.gcos_close_session(text, boolean), {{trust}}.gcos_whoami(), {{trust}}.gcos_visible_tokens() from public;
grant execute on function {{trust}}.gcos_create_link(text), {{trust}}.gcos_open_session(text), {{trust}}.gcos_close_session(text, boolean),
  {{trust}}.gcos_whoami() to {{api}}, {{server}};
grant execute on function {{trust}}.gcos_visible_tokens() to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
