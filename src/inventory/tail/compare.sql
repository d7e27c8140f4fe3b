-- name: exportSnapshot
select pg_export_snapshot() as id
