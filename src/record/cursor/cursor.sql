-- name: advanceCursor
-- nullable: :watermark_id, :horizon, :phase, :summary, :metadata
select gcos_advance_cursor(:worker::text, :source::text, :round::text, :fence::int8, :moves::bool, :watermark_id::text, :horizon::xid8, :events_seen::int8, :attempts_written::int8,
  :phase::text, :summary::jsonb, :metadata::jsonb) as advanced

-- name: noteRegressionRow
select coalesce(gcos_note_regression(:worker::text, :source::text, :round::text, :fence::int8), false) as noted

-- name: resetCursorRow
-- nullable: :fence, :watermark_id, :horizon
select gcos_reset_cursor(:worker::text, :source::text, :round::text, :fence::int8, :watermark_id::text, :horizon::xid8, :reason::text) as reset

-- name: readCursorRows
-- nullable: watermark_id, horizon, phase, last_run_at, regressed_at, :worker, :source, :round
select worker, source, round, watermark_id, id_type, horizon, fence, events_seen, attempts_written,
  dead_lettered, phase, last_run_at, last_run_summary, metadata, regressed_at
from gov_worker_cursor
where (:worker::text is null or worker = :worker::text)
  and (:source::text is null or source = :source::text)
  and (:round::text is null or round = :round::text)
order by worker, source, round
