-- The exact reverse of tables.sql, and of the views that syncs created.
do $gcos_view$
declare
  member_view name;
begin
  for member_view in select c.collection_name from gcos_source_collection c loop
    execute format('drop view %I', member_view);
  end loop;
end
$gcos_view$;
drop index governance_object_ownership_source_idx;
alter table governance_object_ownership drop column source_id;
drop table gcos_source_object;
drop table gcos_source_collection;
drop table gcos_source;
