-- The exact reverse of ownership.sql.
drop table governance_object_ownership;
drop table governance_responsibility_scope;
drop table governance_registry;
