set local role {{trust_owner}};
-- Adds a person, or changes the login and the kind of approver of one; null keeps what there is. Only an
-- administrator can, and only by their own statement: code of the host in their session cannot.
create function {{trust}}.gcos_write_person(p_person text, p_login text, p_approver_type text, p_add boolean)
returns table (outcome text, person_login text, approver_type text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  written record;
  problem text;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.login into actor from {{trust}}.gcos_actor(null, 'operate') a;
  problem := case
    when actor.outcome = 'not_direct' then 'not_direct'
    when not {{trust}}.gcos_is_administrator() then 'not_administrator'
    when coalesce(p_person, '') = '' or p_person <> btrim(p_person) or length(p_person) > 100 then 'name_invalid'
    when p_login is not null and not exists (select from pg_roles r where r.rolname = p_login and r.rolcanlogin) then 'login_missing'
    when quote_ident(p_login)::regrole = '{{server}}'::regrole then 'login_of_server'
    when exists (select from {{trust}}.governance_actor a where a.login = p_login and a.person_ref <> p_person) then 'login_taken'
    when p_approver_type is not null and not exists (
      select from {{trust}}.governance_approver_kind k where k.approver_kind = p_approver_type) then 'kind_unknown'
    when p_add is true and exists (select from {{trust}}.governance_actor a where a.person_ref = p_person) then 'person_exists'
    when p_add is not true and not exists (select from {{trust}}.governance_actor a where a.person_ref = p_person) then 'person_unknown'
  end;
  if problem is not null then
    return query select problem, null::text, null::text, actor.login;
    return;
  end if;
  if p_add is true then
    insert into {{trust}}.governance_actor as a (person_ref, login, approver_type)
    values (p_person, p_login, coalesce(p_approver_type, 'member'))
    returning a.login, a.approver_type into written;
  else
    update {{trust}}.governance_actor a
    set login = coalesce(p_login, a.login), approver_type = coalesce(p_approver_type, a.approver_type)
    where a.person_ref = p_person
    returning a.login, a.approver_type into written;
  end if;
  return query select 'ok'::text, written.login, written.approver_type, actor.login;
end
$gcos_function$;
comment on function {{trust}}.gcos_write_person(text, text, text, boolean) is 'GCOS: adds or changes a person';
revoke all on function {{trust}}.gcos_write_person(text, text, text, boolean) from public;
grant execute on function {{trust}}.gcos_write_person(text, text, text, boolean) to {{api}}, {{server}};
set local role {{owner}};
