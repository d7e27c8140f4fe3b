drop function gcos_groups_of(text[], text[]);
drop function gcos_class_map();
drop table governance_group;
drop table governance_inventory;
