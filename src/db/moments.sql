-- name: exportMoment
-- Keeps what this statement sees until the end of the transaction. The clock is read afterwards: nothing
-- in the snapshot is younger.
select pg_export_snapshot() as snapshot, pg_current_snapshot()::text as content, gcos_now() as at

-- name: readImported
-- What the transaction sees, and the clock.
select pg_current_snapshot()::text as content,
  extract(epoch from gcos_now() - :at::timestamptz)::float8 as age_seconds
