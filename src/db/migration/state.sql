-- name: readShape
-- Whether gcos_migration exists in this schema and has the columns of GCOS's own table.
select
  to_regclass(format('%I.gcos_migration', :schema::text)) is not null as present,
  (select count(*) from pg_attribute a
    where a.attrelid = to_regclass(format('%I.gcos_migration', :schema::text))
      and a.attname in ('kind', 'id', 'name', 'checksum', 'applied_at', 'applied_by', 'applied_with')
      and not a.attisdropped) = 7 as own_shape

-- name: readState
-- The installed migrations.
select kind, id, name, checksum, applied_at, applied_by, applied_with
from gcos_migration
order by kind, id

-- name: readNotedRows
-- What the script of an upgrade noted about the tables that follow from the host, before and after it.
select coalesce(nullif(current_setting('gcos.rows_before', true), ''), '{}') as before,
  coalesce(nullif(current_setting('gcos.rows_after', true), ''), '{}') as after
