drop table governance_group;
drop table governance_inventory;
