set local role {{trust_owner}};
-- The acting person. All functions below call it and never trust a name from the caller: session_user is the
-- authenticated login, also inside a security definer function.
create function {{trust}}.gcos_actor(p_as text)
returns table (outcome text, person_ref text, approver_type text, login text, verified boolean, login_person text)
language plpgsql stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  own record;
  other record;
begin
  select a.person_ref, a.approver_type, a.may_act_for_others into own
  from {{trust}}.governance_actor a where a.login = session_user and a.active;
  if not found then
    return query select 'login_unknown'::text, null::text, null::text, session_user::text, null::boolean, null::text;
    return;
  end if;
  if p_as is null or p_as = own.person_ref then
    return query select 'ok'::text, own.person_ref, own.approver_type, session_user::text, true, own.person_ref;
    return;
  end if;
  if not own.may_act_for_others then
    return query select 'not_allowed'::text, null::text, null::text, session_user::text, null::boolean, own.person_ref;
    return;
  end if;
  select a.person_ref, a.approver_type into other from {{trust}}.governance_actor a where a.person_ref = p_as and a.active;
  if not found then
    return query select 'person_unknown'::text, null::text, null::text, session_user::text, null::boolean, own.person_ref;
    return;
  end if;
  return query select 'ok'::text, other.person_ref, other.approver_type, session_user::text, false, own.person_ref;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_actor(text) from public;
grant execute on function {{trust}}.gcos_actor(text) to {{owner}}, {{worker}}, {{api}}, {{pruner}};
set local role {{owner}};

-- The acting person: the person to whom the login is mapped. Raises an error for a login without an active
-- person.
create function {{trust}}.gcos_require_actor()
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person text;
begin
  select a.person_ref into v_person from {{trust}}.gcos_actor(null) as a where a.outcome = 'ok';
  if v_person is null then
    raise exception 'the login % is mapped to no active person in governance_actor', session_user using errcode = 'insufficient_privilege';
  end if;
  return v_person;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_require_actor() from public;
