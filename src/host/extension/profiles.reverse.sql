-- Takes back exactly what profiles.sql adds.
drop table coverage_profile;
