set local role {{trust_owner}};
-- Changes a setting as the acting person, audits it, and returns the value before. A setting of the ruleset
-- changes the rules in the tables: they are in force once an approved ruleset has them. While no ruleset is
-- active, the tables themselves are in force. INVARIANT: a setting that limits what others can do, and a rule
-- that would be in force at once, needs a login that may also update this table.
create function {{trust}}.gcos_set_setting(p_key text, p_value jsonb)
returns table (outcome text, before text, changed_by text, person_ref text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  actor record;
  former record;
  needs_approval boolean;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, 'operate') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, null::text, null::text, actor.login;
    return;
  end if;
  if p_value is null then
    raise exception 'a setting needs a value' using errcode = 'null_value_not_allowed';
  end if;
  select s.setting_value, s.changed_by into former
  from {{trust}}.governance_setting s where s.setting_key = p_key for update;
  if not found then
    return query select 'setting_unknown'::text, null::text, null::text, actor.person_ref, actor.login;
    return;
  end if;
  needs_approval := former.changed_by = 'approval' and exists (
    select from {{trust}}.governance_ruleset r where r.family = 'governance' and r.status = 'active');
  if former.changed_by = 'command' or former.changed_by <> 'person' and not needs_approval
    and (actor.login <> session_user or not has_table_privilege(session_user, '{{trust}}.governance_setting', 'update')) then
    return query select case former.changed_by when 'command' then 'setting_of_command' else 'setting_protected' end,
      former.setting_value::text, former.changed_by, actor.person_ref, actor.login;
    return;
  end if;
  if former.setting_value <> p_value then
    update {{trust}}.governance_setting s
    set setting_value = p_value, updated_at = {{trust}}.gcos_now(), updated_by = actor.login
    where s.setting_key = p_key;
    perform {{trust}}.gcos_audit(array['governance_setting'], array[p_key], array['set'],
      array[jsonb_build_object('before', former.setting_value, 'after', p_value, 'login', actor.login)::text],
      actor.person_ref);
  end if;
  return query select case when former.setting_value = p_value then 'unchanged' when needs_approval then 'needs_approval' else 'ok' end,
    former.setting_value::text, former.changed_by, actor.person_ref, actor.login;
end
$gcos_function$;
comment on function {{trust}}.gcos_set_setting(text, jsonb) is 'GCOS: changes a setting as the acting person';
revoke all on function {{trust}}.gcos_set_setting(text, jsonb) from public;
grant execute on function {{trust}}.gcos_set_setting(text, jsonb) to {{api}}, {{server}};
set local role {{owner}};
