-- Opens a request for one of GCOS's own actions with the next number of the host, and records it as the host
-- stored it.
create function gcos_open_request(p_action text, p_proposed_action jsonb, p_as text)
returns table (outcome text, request_code text, login text)
language plpgsql
rows 1
security definer
set search_path = {{schema}}, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  own_risk text;
  -- True if the code column has a default that numbers the requests.
  host_numbers boolean;
  latest bigint;
  attempts integer := 0;
  added bigint;
  opened record;
  moment timestamptz;
begin
  perform gcos_commit_durably();
  select a.outcome, a.person_ref, a.login, a.verified, a.login_person into actor from gcos_actor(p_as) a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, actor.login;
    return;
  end if;
  own_risk := gcos_rule_setting('approval.actions') ->> p_action;
  if p_action not like 'gcos.%' or coalesce(own_risk, '') not in ('low', 'medium', 'high') then
    return query select 'action_unknown'::text, null::text, actor.login;
    return;
  end if;

  -- Only one GCOS session opens a request at a time. If another program takes the same number, the unique key
  -- of the host's table raises an error, and the loop below takes the next number.
  perform gcos_take_lock('request');
  moment := clock_timestamp();
  if not exists (select from apr_action_types t where t.action_code::text = p_action) then
    execute format('insert into apr_action_types (action_code, risk) values ($1, %L) on conflict do nothing', own_risk) using p_action;
    get diagnostics added = row_count;
    if added > 0 then
      insert into governance_action_type (action_code) values (p_action) on conflict do nothing;
    end if;
  end if;
  host_numbers := exists (
    select from pg_attribute a
    where a.attrelid = to_regclass('approval_requests') and a.attname = 'code' and a.atthasdef);
  select greatest(
    coalesce((select max(substring(r.code::text from '^APR-([0-9]{1,15})$')::bigint) from approval_requests r), 0),
    coalesce((select max(substring(w.request_code from '^APR-([0-9]{1,15})$')::bigint) from governance_request w), 0))
  into latest;
  loop
    latest := latest + 1;
    begin
      if host_numbers then
        insert into approval_requests as r (action_code, status, proposed_action, proposer, created_at)
        values (p_action, 'pending', p_proposed_action, actor.person_ref, moment)
        returning r.id::bigint as id, r.code::text as code, r.proposed_action::jsonb as proposed_action into opened;
      else
        insert into approval_requests as r (code, action_code, status, proposed_action, proposer, created_at)
        values ('APR-' || lpad(latest::text, greatest(4, length(latest::text)), '0'),
          p_action, 'pending', p_proposed_action, actor.person_ref, moment)
        returning r.id::bigint as id, r.code::text as code, r.proposed_action::jsonb as proposed_action into opened;
      end if;
      exit;
    exception when unique_violation then
      attempts := attempts + 1;
      if attempts >= 50 then
        raise;
      end if;
    end;
  end loop;

  insert into governance_request (request_code, request_id, action_code, risk, proposed_action, proposer, login, login_person, verified, opened_at)
  values (opened.code, opened.id, p_action, gcos_action_risk(p_action), opened.proposed_action, actor.person_ref, actor.login,
    actor.login_person, actor.verified, moment);
  return query select 'ok'::text, opened.code, actor.login;
end
$gcos_function$;
revoke all on function gcos_open_request(text, jsonb, text) from public;
grant execute on function gcos_open_request(text, jsonb, text) to {{worker}}, {{api}};
