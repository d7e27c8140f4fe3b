do $gcos$
begin
  if to_regclass('apr_approvals') is not null and to_regclass('approval_requests') is not null then
    delete from apr_approvals where apr_id in (select id from approval_requests where action_code like 'gcos.%');
    delete from approval_requests where action_code like 'gcos.%';
  end if;
  if to_regclass('apr_action_types') is not null then
    delete from apr_action_types where action_code like 'gcos.%';
  end if;
end
$gcos$;
