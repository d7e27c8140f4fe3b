do $gcos$
begin
  if to_regclass('{{schema}}.registry_changelog') is not null then
    delete from {{schema}}.registry_changelog
    where (select {{trust}}.gcos_enter_host()) and changed_by like 'gcos:%' and entity_type like 'governance\_%';
  end if;
end
$gcos$;
