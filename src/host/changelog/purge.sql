delete from registry_changelog where changed_by like 'gcos:%' and entity_type like 'governance\_%';
