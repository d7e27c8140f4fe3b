do $gcos$
begin
  if to_regclass('governance_request') is null then
    return;
  end if;
  if to_regclass('apr_approvals') is not null then
    delete from apr_approvals a using governance_decision d where d.approval_id = a.id::bigint;
  end if;
  -- A request with a decision that was made directly in the host's tables is part of the host's history: keep
  -- it.
  if to_regclass('approval_requests') is not null then
    delete from approval_requests r using governance_request g
    where g.request_code = r.code::text
      and (to_regclass('apr_approvals') is null or not exists (select from apr_approvals a where a.apr_id = r.id));
  end if;
  if to_regclass('apr_action_types') is not null then
    delete from apr_action_types t using governance_action_type g
    where g.action_code = t.action_code::text
      and (to_regclass('approval_requests') is null or not exists (select from approval_requests r where r.action_code::text = g.action_code));
  end if;
end
$gcos$;
