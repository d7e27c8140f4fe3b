do $gcos$
begin
  if to_regclass('{{trust}}.governance_request') is null then
    return;
  end if;
  if to_regclass('{{schema}}.apr_approvals') is not null then
    delete from {{schema}}.apr_approvals a using {{trust}}.governance_decision d
    where (select {{trust}}.gcos_enter_host()) and d.approval_id = a.id::bigint;
    perform {{trust}}.gcos_leave_host();
  end if;
  -- A request with a decision that was made directly in the host's tables is part of the host's history: keep
  -- it.
  if to_regclass('{{schema}}.approval_requests') is not null then
    delete from {{schema}}.approval_requests r using {{trust}}.governance_request g
    where (select {{trust}}.gcos_enter_host()) and g.request_code = r.code::text
      and (to_regclass('{{schema}}.apr_approvals') is null or not exists (select from {{schema}}.apr_approvals a where a.apr_id = r.id));
    perform {{trust}}.gcos_leave_host();
  end if;
  if to_regclass('{{schema}}.apr_action_types') is not null then
    delete from {{schema}}.apr_action_types t using {{trust}}.governance_action_type g
    where (select {{trust}}.gcos_enter_host()) and g.action_code = t.action_code::text
      and (to_regclass('{{schema}}.approval_requests') is null or not exists (select from {{schema}}.approval_requests r where r.action_code::text = g.action_code));
  end if;
end
$gcos$;
