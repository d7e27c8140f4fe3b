-- name: readHome
-- Whether the database has the tables of sources.
select to_regclass('gcos_source') is not null as home

-- name: readSources
-- nullable: read_at, synced_at, failed_at, failing_since, failure_code, failure
select s.name, s.kind, s.config::text as config, s.status, s.added_at, s.added_by, s.read_at, s.synced_at, s.failed_at, s.failing_since,
  s.failures, s.failure_code, s.failure, s.objects, s.gone
from gcos_sources() s

-- name: readDueSources
select s.name, s.kind, s.config::text as config, s.overdue_seconds
from gcos_due_sources(:seconds::float8, :share::float8) s

-- name: addSource
select gcos_add_source(:name::text, :kind::text, :config::text::jsonb) as added

-- name: changeSource
select gcos_change_source(:name::text, :kind::text, :config::text::jsonb) as changed

-- name: beginSync
select gcos_begin_sync(:name::text) as began_at

-- name: finishSync
select gcos_finish_sync(:name::text, :accept_shrink::boolean)::text as written

-- name: failSource
select gcos_fail_source(:name::text, :code::text, :failure::text) as recorded

-- name: removeSource
select gcos_remove_source(:name::text)::text as written
