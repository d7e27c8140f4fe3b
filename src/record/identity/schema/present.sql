set local role {{trust_owner}};
-- Presents a credential for this transaction: from here to its end, the person, the permission and the
-- limits are those of the token. p_credential is the SHA-256 of the token, in hex: the token itself never
-- travels to the server. It is found by the hash of that, so that no comparison tells a guess from a near
-- miss. p_scope and p_owner say what the transaction reads; a limited token must name them. Returns the id
-- of the token.
create function {{trust}}.gcos_present(p_credential text, p_permission text, p_scope text, p_owner text)
returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  moment constant timestamptz := {{trust}}.gcos_now();
  presented constant bytea := sha256(convert_to(p_credential, 'UTF8'));
  token record;
  own_session record;
begin
  if coalesce(current_setting('gcos.presented', true), '') <> '' then
    raise exception 'this transaction has presented a credential already' using errcode = 'invalid_transaction_state';
  end if;
  select t.token_id, t.permissions, t.scopes, t.owners, t.expires_at,
    t.revoked_at is not null or t.person_ref is not null and a.active is not true as is_revoked,
    (u.used_at between moment - interval '1 minute' and moment) is not true as is_use_due
  into token
  from {{trust}}.gcos_token t
  join {{trust}}.gcos_token_use u on u.token_id = t.token_id
  left join {{trust}}.governance_actor a on a.person_ref = t.person_ref
  where t.secret_hash = presented;
  if not found then
    -- A browser presents the secret of its session, which stands for its token.
    select s.token_id, s.expires_at into own_session
    from {{trust}}.gcos_session s
    where s.secret_hash = presented and s.opened_at is not null;
    if found and own_session.expires_at <= moment then
      raise exception 'the session has expired' using errcode = 'UG031';
    end if;
    select t.token_id, t.permissions, t.scopes, t.owners, t.expires_at,
      t.revoked_at is not null or t.person_ref is not null and a.active is not true as is_revoked,
      (u.used_at between moment - interval '1 minute' and moment) is not true as is_use_due
    into token
    from {{trust}}.gcos_token t
    join {{trust}}.gcos_token_use u on u.token_id = t.token_id
    left join {{trust}}.governance_actor a on a.person_ref = t.person_ref
    where t.token_id = own_session.token_id;
  end if;
  if not found then
    raise exception 'there is no such token' using errcode = 'UG030';
  elsif token.is_revoked then
    raise exception 'the token % was revoked, or its person is not active', token.token_id using errcode = 'UG032';
  elsif token.expires_at <= moment then
    raise exception 'the token % has expired', token.token_id using errcode = 'UG031';
  elsif (p_permission = any (token.permissions)) is not true then
    raise exception 'the token % has no permission %', token.token_id, coalesce(p_permission, 'null') using errcode = 'UG033';
  -- The gate looks at the owners of each subject itself.
  elsif (token.scopes is null or p_scope = any (token.scopes)) is not true
    or (token.owners is null or p_permission = 'gate' or p_owner = any (token.owners)) is not true then
    raise exception 'the token % is limited to other scopes or owners', token.token_id using errcode = 'UG034';
  end if;
  perform set_config('gcos.presented',
    concat_ws(':', token.token_id, p_permission, {{trust}}.gcos_identity_digest(token.token_id, p_permission)), true);
  -- Best effort: at most once a minute, and only where it can neither wait nor fail.
  if token.is_use_due and current_setting('transaction_read_only') = 'off' and current_setting('transaction_isolation') = 'read committed' then
    update {{trust}}.gcos_token_use u
    set used_at = moment
    where u.token_id = (select w.token_id from {{trust}}.gcos_token_use w where w.token_id = token.token_id for update skip locked);
  end if;
  return token.token_id;
end
$gcos_function$;
comment on function {{trust}}.gcos_present(text, text, text, text) is 'GCOS: presents a credential for this transaction';

-- Who asks the gate: the credential, its person or that of the login (null: none), and the owners to which a
-- token is limited (null: no limit). Unlike an act, a question can be asked from anywhere. A token needs the
-- permission for it.
create function {{trust}}.gcos_asking()
returns table (credential text, person_ref text, owners text[])
language plpgsql stable
rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  identity record;
begin
  select i.token_id, i.permission into identity from {{trust}}.gcos_identity() i;
  if identity.token_id is null then
    return query select session_user::text, (
      select a.person_ref from {{trust}}.governance_actor a
      where a.login = session_user::text collate "default" and a.active
        and quote_ident(session_user)::regrole <> '{{server}}'::regrole), null::text[];
    return;
  end if;
  if identity.permission <> 'gate' then
    perform {{trust}}.gcos_require_permission('gate');
  end if;
  return query select t.credential_kind || ':' || t.token_id, t.person_ref, t.owners from {{trust}}.gcos_token t where t.token_id = identity.token_id;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_present(text, text, text, text), {{trust}}.gcos_asking() from public;
grant execute on function {{trust}}.gcos_present(text, text, text, text) to {{api}}, {{server}};
set local role {{owner}};
