do $gcos$
begin
  if to_regclass('system_issues') is not null then
    delete from system_issues where source = 'gcos' and source_system = 'gcos' and code like 'GCOS-%';
  end if;
end
$gcos$;
