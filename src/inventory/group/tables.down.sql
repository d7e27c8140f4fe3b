drop function {{trust}}.gcos_groups_of(text[], text[]);
drop function {{trust}}.gcos_class_map();
drop table {{schema}}.governance_group;
drop table {{schema}}.governance_inventory;
