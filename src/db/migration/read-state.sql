-- What is installed: one row per recorded migration.
select kind, id, name, checksum, applied_at, applied_by, applied_with
from gcos_migration
order by kind, id
