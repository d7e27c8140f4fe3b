-- The only audit channel. GCOS can append rows of its own kinds and cannot change any other row; the server
-- records the login and the time. No login may call this function: the functions that people and workers call
-- write their audit rows through it.
create function {{trust}}.gcos_audit(p_entity_type text[], p_entity_code text[], p_action text[], p_detail text[], p_actor text)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  as_owner constant boolean := {{trust}}.gcos_require_owner();
  kinds constant text[] := array[
    'governance_snapshot/capture', 'governance_snapshot/prune',
    'governance_ruleset/draft', 'governance_ruleset/activate', 'governance_ruleset/supersede',
    'governance_reconciliation/close',
    'governance_exception/grant', 'governance_exception/expire', 'governance_exception/revoke',
    'governance_event_type/register', 'governance_event_type/activate', 'governance_event_type/deactivate',
    'governance_signal/emit',
    'governance_finding/raise', 'governance_finding/resolve', 'governance_finding/reopen',
    'governance_input/quarantine', 'governance_input/release', 'governance_input/trust',
    'governance_cursor/replay', 'governance_dead_letter/retry',
    'governance_history/prune',
    'governance_worker/pause', 'governance_worker/resume', 'governance_worker/order',
    'governance_setting/set',
    'governance_webhook/add', 'governance_webhook/rotate', 'governance_webhook/remove',
    'governance_gate/break_glass', 'governance_gate/prune'];
  credential constant text := {{trust}}.gcos_credential();
  level constant text := coalesce({{trust}}.gcos_host_word('alert_level', 'info'), 'info');
  stranger text;
  written bigint;
begin
  -- unnest pads shorter arrays with NULL: a row with a NULL type, code or action is refused.
  select r.entity_type || '/' || r.action into stranger
  from unnest(p_entity_type, p_entity_code, p_action, p_detail) as r(entity_type, entity_code, action, detail)
  where (r.entity_type || '/' || r.action = any (kinds) and r.entity_code is not null) is not true
  limit 1;
  if found then
    raise exception 'not an audit row of GCOS: %', coalesce(stranger, 'null') using errcode = 'invalid_parameter_value';
  end if;
  insert into {{schema}}.registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by, alert_detail)
  select r.entity_type, r.entity_code, r.action, {{trust}}.gcos_now() at time zone 'UTC', level, true,
    'gcos:' || credential || coalesce(' for ' || nullif(p_actor, credential), ''), r.detail
  from unnest(p_entity_type, p_entity_code, p_action, p_detail) as r(entity_type, entity_code, action, detail)
  where (select {{trust}}.gcos_enter_host());
  get diagnostics written = row_count;
  return written;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_audit(text[], text[], text[], text[], text) from public;
grant execute on function {{trust}}.gcos_audit(text[], text[], text[], text[], text) to {{trust_owner}};

-- The audit rows of work that no function does as a whole: workers may append these kinds, and for no one
-- else.
create function {{trust}}.gcos_audit_work(p_entity_type text[], p_entity_code text[], p_action text[], p_detail text[])
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  stranger text;
begin
  select r.entity_type || '/' || r.action into stranger
  from unnest(p_entity_type, p_action) as r(entity_type, action)
  where (r.entity_type || '/' || r.action in ('governance_snapshot/capture', 'governance_reconciliation/close', 'governance_cursor/replay')) is not true
  limit 1;
  if found then
    raise exception 'not an audit row of a worker: %', coalesce(stranger, 'null') using errcode = 'invalid_parameter_value';
  end if;
  return {{trust}}.gcos_audit(p_entity_type, p_entity_code, p_action, p_detail, null);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_audit_work(text[], text[], text[], text[]) from public;
grant execute on function {{trust}}.gcos_audit_work(text[], text[], text[], text[]) to {{worker}};
