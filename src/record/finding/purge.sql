do $gcos$
begin
  if to_regclass('{{schema}}.system_issues') is not null then
    delete from {{schema}}.system_issues
    where (select {{trust}}.gcos_enter_host()) and source = 'gcos' and source_system = 'gcos' and code like 'GCOS-%';
  end if;
end
$gcos$;
