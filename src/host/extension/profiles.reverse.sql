-- The exact reverse of profiles.sql.
drop table coverage_profile;
