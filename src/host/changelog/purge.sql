do $gcos$
begin
  if to_regclass('registry_changelog') is not null then
    delete from registry_changelog where changed_by like 'gcos:%' and entity_type like 'governance\_%';
  end if;
end
$gcos$;
