-- name: readTemporaryFiles
-- The limit of temporary files for logins as :role, `-1` if there is none.
select coalesce((
  select split_part(c.setting, '=', 2)
  from pg_roles r
  join pg_db_role_setting s on s.setrole = r.oid and s.setdatabase = 0
  cross join unnest(s.setconfig) as c(setting)
  where r.rolname = :role::text and c.setting like 'temp\_file\_limit=%'), current_setting('temp_file_limit')) as limited_to
