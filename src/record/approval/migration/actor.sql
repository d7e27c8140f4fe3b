set local role {{trust_owner}};
-- Whether an act runs because the client's own statement named it. Triggers, column defaults, constraints,
-- views and functions of the host run in the session of the person who uses the tables, where session_user is
-- that person: they must not act. p_stack is the context of gcos_actor, p_query is what the client sent. One
-- function of GCOS beside gcos_actor must be on the stack, once and outermost, and the statement must name
-- it. Only signatures are read: the words around them depend on the language of the server.
create function {{trust}}.gcos_is_direct(p_stack text, p_query text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  lines constant text[] := string_to_array(p_stack, E'\n');
  act text;
  frame text;
  acts bigint;
begin
  select min(f.name), min(f.frame), count(*) into act, frame, acts
  from (
    select p.proname::text as name, p.oid::regprocedure::text as frame
    from pg_proc p
    where p.pronamespace = '{{trust}}'::regnamespace and p.proname not in ('gcos_actor', 'gcos_require_actor')
  ) f
  where strpos(p_stack, f.frame) > 0;
  if acts = 0 then
    -- A client asked for the person itself.
    act := 'gcos_actor';
    frame := '.gcos_actor(text,text)';
  end if;
  return pg_trigger_depth() = 0 and acts <= 1
    and strpos(lines[cardinality(lines)], frame) > 0
    and length(p_stack) - length(replace(p_stack, frame, '')) = length(frame)
    and strpos(lower(p_query), act) > 0;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_is_direct(text, text) from public;

-- The acting person. All functions below call it and never trust a name from the caller: session_user is the
-- authenticated login, also inside a security definer function. A credential that was presented in this
-- transaction takes its place: then the person is that of the credential, and p_permission is what the act
-- needs of it; null: nothing. The login of `gcos serve` has no person, whatever governance_actor says.
create function {{trust}}.gcos_actor(p_as text, p_permission text)
returns table (outcome text, person_ref text, approver_type text, login text, verified boolean, login_person text)
language plpgsql stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  own record;
  other record;
  stack text;
  identity record;
  credential text;
begin
  get diagnostics stack = pg_context;
  select i.token_id, i.permission into identity from {{trust}}.gcos_identity() i;
  credential := coalesce('token:' || identity.token_id, session_user::text);
  if {{trust}}.gcos_is_direct(stack, current_query()) is not true then
    return query select 'not_direct'::text, null::text, null::text, credential, null::boolean, null::text;
    return;
  end if;
  if identity.token_id is not null then
    if p_permission <> identity.permission then
      perform {{trust}}.gcos_require_permission(p_permission);
    end if;
    select a.person_ref, a.approver_type, false as may_act_for_others into own
    from {{trust}}.gcos_token t
    join {{trust}}.governance_actor a on a.person_ref = t.person_ref
    where t.token_id = identity.token_id and a.active;
  else
    select a.person_ref, a.approver_type, a.may_act_for_others into own
    from {{trust}}.governance_actor a
    where a.login = session_user and a.active and quote_ident(session_user)::regrole <> '{{server}}'::regrole;
  end if;
  if not found then
    return query select 'login_unknown'::text, null::text, null::text, credential, null::boolean, null::text;
    return;
  end if;
  if p_as is null or p_as = own.person_ref then
    return query select 'ok'::text, own.person_ref, own.approver_type, credential, true, own.person_ref;
    return;
  end if;
  if not own.may_act_for_others then
    return query select 'not_allowed'::text, null::text, null::text, credential, null::boolean, own.person_ref;
    return;
  end if;
  select a.person_ref, a.approver_type into other from {{trust}}.governance_actor a where a.person_ref = p_as and a.active;
  if not found then
    return query select 'person_unknown'::text, null::text, null::text, credential, null::boolean, own.person_ref;
    return;
  end if;
  return query select 'ok'::text, other.person_ref, other.approver_type, credential, false, own.person_ref;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_actor(text, text) from public;
grant execute on function {{trust}}.gcos_actor(text, text) to {{owner}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};

-- The acting person: the person of the credential or of the login. Raises an error if there is no active
-- person.
create function {{trust}}.gcos_require_actor(p_permission text)
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person text;
begin
  select a.person_ref into v_person from {{trust}}.gcos_actor(null, p_permission) as a where a.outcome = 'ok';
  if v_person is null then
    raise exception 'the login % is mapped to no active person in governance_actor', session_user using errcode = 'insufficient_privilege';
  end if;
  return v_person;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_require_actor(text) from public;
