-- Takes back exactly what axes.sql adds.
drop table axis_registry;
