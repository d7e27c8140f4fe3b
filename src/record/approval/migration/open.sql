set local role {{trust_owner}};
-- Writes a request of a person for one of GCOS's own actions with the next number of the host, and records it
-- as the host stored it. Only functions of acts call it, which know the person from gcos_actor().
create function {{trust}}.gcos_write_request(
  p_action text, p_proposed_action jsonb, p_person text, p_login text, p_login_person text, p_verified boolean)
returns table (outcome text, request_code text)
language plpgsql
rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  own_risk text;
  latest bigint;
  opened record;
  moment timestamptz;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_add_action(text, text)',
    '{{trust}}.gcos_host_open_request(text, jsonb, text, bigint, timestamptz)');
  perform {{trust}}.gcos_commit_durably();
  own_risk := {{trust}}.gcos_rule_setting('approval.actions') ->> p_action;
  if p_action not like 'gcos.%' or coalesce(own_risk, '') not in ('low', 'medium', 'high') then
    return query select 'action_unknown'::text, null::text;
    return;
  end if;

  -- Only one GCOS session opens a request at a time.
  perform {{trust}}.gcos_take_lock('request');
  moment := {{trust}}.gcos_now();
  if {{trust}}.gcos_host_add_action(p_action, own_risk) then
    insert into {{trust}}.governance_action_type (action_code) values (p_action) on conflict do nothing;
  end if;
  select coalesce(max(substring(w.request_code from '^APR-([0-9]{1,15})$')::bigint), 0) into latest from {{trust}}.governance_request w;
  -- Again, because the host's code ran.
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_open_request(text, jsonb, text, bigint, timestamptz)');
  select h.id, h.code, h.proposed_action into opened
  from {{trust}}.gcos_host_open_request(p_action, p_proposed_action, p_person, latest, moment) h;
  if opened.proposed_action is distinct from p_proposed_action then
    raise exception 'the host stored another request than the one that was made' using errcode = 'integrity_constraint_violation';
  end if;
  insert into {{trust}}.governance_request (request_code, request_id, action_code, risk, policy, proposed_action, proposer, login, login_person, verified, opened_at)
  values (opened.code, opened.id, p_action, {{trust}}.gcos_action_risk(p_action), {{trust}}.gcos_rule_setting('approval.policy'),
    opened.proposed_action, p_person, p_login, p_login_person, p_verified, moment);
  return query select 'ok'::text, opened.code;
end
$gcos_function$;

-- Opens a request for one of GCOS's own actions.
create function {{trust}}.gcos_open_request(p_action text, p_proposed_action jsonb, p_as text)
returns table (outcome text, request_code text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  actor record;
begin
  select a.outcome, a.person_ref, a.login, a.verified, a.login_person into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, actor.login;
    return;
  end if;
  return query
  select w.outcome, w.request_code, actor.login
  from {{trust}}.gcos_write_request(p_action, p_proposed_action, actor.person_ref, actor.login, actor.login_person, actor.verified) w;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_write_request(text, jsonb, text, text, text, boolean) from public;
revoke all on function {{trust}}.gcos_open_request(text, jsonb, text) from public;
grant execute on function {{trust}}.gcos_open_request(text, jsonb, text) to {{api}}, {{server}};
set local role {{owner}};
