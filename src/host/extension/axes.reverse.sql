-- The exact reverse of axes.sql.
drop table axis_registry;
