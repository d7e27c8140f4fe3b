set local role {{trust_owner}};
-- Whether the login may give others rights, as a DBA: it may write governance_actor itself. A presented
-- credential never may, whatever login presents it.
create function {{trust}}.gcos_is_administrator()
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return {{trust}}.gcos_credential() = session_user
    and has_table_privilege(session_user, '{{trust}}.governance_actor', 'insert')
    and has_table_privilege(session_user, '{{trust}}.governance_actor', 'update');
end
$gcos_function$;

-- Creates a token and returns it, once. INVARIANT: the secret comes from the server's source of random
-- numbers, never from the caller; whoever creates a token for another person or a pipeline is an
-- administrator; a token creates none. p_person null: the acting person; p_pipeline: no person.
create function {{trust}}.gcos_create_token(
  p_name text, p_person text, p_pipeline boolean, p_permissions text[], p_scopes text[], p_owners text[], p_days integer)
returns table (outcome text, detail text, token_id text, token text, person_ref text, expires_at timestamptz, created_by text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  is_administrator constant boolean := {{trust}}.gcos_is_administrator();
  lifetime constant jsonb := coalesce((select s.setting_value from {{trust}}.governance_setting s where s.setting_key = 'token.lifetime'), '{}');
  longest constant integer := least(coalesce((lifetime ->> 'longest_days')::integer, 365), 3650);
  days constant integer := coalesce(p_days, least(coalesce((lifetime ->> 'default_days')::integer, 90), longest));
  granted constant text[] := array(select distinct p from unnest(p_permissions) p order by p);
  scopes constant text[] := nullif(array(select distinct s from unnest(p_scopes) s order by s), '{}');
  owners constant text[] := nullif(array(select distinct o from unnest(p_owners) o order by o), '{}');
  for_person text;
  moment timestamptz;
  made record;
  problem text;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, null) a;
  if actor.login <> session_user then
    raise exception 'a token cannot create tokens' using errcode = 'UG033';
  end if;
  if actor.outcome <> 'ok' and not (actor.outcome = 'login_unknown' and is_administrator) then
    return query select actor.outcome, null::text, null::text, null::text, null::text, null::timestamptz, null::text, actor.login;
    return;
  end if;
  for_person := case when p_pipeline is not true then coalesce(p_person, actor.person_ref) end;
  problem := case
    when p_pipeline is not true and for_person is null then 'login_unknown'
    when for_person is distinct from actor.person_ref and not is_administrator then 'not_administrator'
    when for_person is not null and not exists (
      select from {{trust}}.governance_actor a where a.person_ref = for_person and a.active) then 'person_unknown'
    when (length(btrim(p_name)) between 1 and 100) is not true then 'name_invalid'
    when granted = '{}' or not granted <@ array['read', 'gate', 'decide', 'operate'] then 'permissions_invalid'
    when for_person is null and not granted <@ array['read', 'gate'] then 'pipeline_acts'
    when (scopes is not null or owners is not null) and not granted <@ array['read', 'gate'] then 'limited_acts'
    when scopes is not null and 'gate' = any (granted) then 'gate_in_scopes'
    when (days between 1 and longest) is not true then 'too_long'
  end;
  if problem is not null then
    return query select problem, case problem when 'too_long' then longest::text end, null::text, null::text, for_person, null::timestamptz,
      null::text, actor.login;
    return;
  end if;
  moment := {{trust}}.gcos_now();
  select n.id, n.secret, n.hash into made from {{trust}}.gcos_new_secret() n;
  insert into {{trust}}.gcos_token (token_id, token_name, person_ref, secret_hash, permissions, scopes, owners, created_at, created_by, expires_at)
  values (made.id, btrim(p_name), for_person, made.hash, granted, scopes, owners, moment, coalesce(actor.person_ref, actor.login), moment + make_interval(days => days));
  insert into {{trust}}.gcos_token_use (token_id) values (made.id);
  return query select 'ok'::text, null::text, made.id, made.secret, for_person, moment + make_interval(days => days),
    coalesce(actor.person_ref, actor.login), actor.login;
end
$gcos_function$;
comment on function {{trust}}.gcos_create_token(text, text, boolean, text[], text[], text[], integer) is 'GCOS: creates an API token and returns it, once';

-- Revokes a token, at once and for good: the next transaction that presents it is refused. A person revokes
-- their own tokens, an administrator any.
create function {{trust}}.gcos_revoke_token(p_token_id text)
returns table (outcome text, revoked_by text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  is_administrator constant boolean := {{trust}}.gcos_is_administrator();
  token record;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, 'operate') a;
  if actor.outcome <> 'ok' and not (actor.outcome = 'login_unknown' and is_administrator) then
    return query select actor.outcome, null::text, actor.login;
    return;
  end if;
  select t.person_ref, t.revoked_at into token from {{trust}}.gcos_token t where t.token_id = p_token_id for update;
  if not found then
    return query select 'token_unknown'::text, null::text, actor.login;
  elsif token.person_ref is distinct from actor.person_ref and not is_administrator then
    return query select 'not_administrator'::text, null::text, actor.login;
  elsif token.revoked_at is not null then
    return query select 'token_revoked'::text, null::text, actor.login;
  else
    update {{trust}}.gcos_token t
    set revoked_at = {{trust}}.gcos_now(), revoked_by = coalesce(actor.person_ref, actor.login)
    where t.token_id = p_token_id;
    return query select 'ok'::text, coalesce(actor.person_ref, actor.login), actor.login;
  end if;
end
$gcos_function$;
comment on function {{trust}}.gcos_revoke_token(text) is 'GCOS: revokes an API token';
revoke all on function {{trust}}.gcos_is_administrator(),
  {{trust}}.gcos_create_token(text, text, boolean, text[], text[], text[], integer), {{trust}}.gcos_revoke_token(text) from public;
grant execute on function {{trust}}.gcos_create_token(text, text, boolean, text[], text[], text[], integer), {{trust}}.gcos_revoke_token(text)
  to {{api}}, {{server}};
set local role {{owner}};
