-- name: readWatchRow
-- How far the tail is behind, in transactions, and the size of its memory.
-- nullable: horizon, horizon_age, horizon_seconds, max_id, last_wide_at, last_near_at
select w.horizon, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - w.horizon::text::bigint as horizon_age,
  extract(epoch from :at::timestamptz - (w.metadata ->> 'horizon_since')::timestamptz)::float8 as horizon_seconds,
  n.watermark_id as max_id, w.last_run_at as last_wide_at, n.last_run_at as last_near_at,
  (select count(*) from gov_intake_seen s where s.source = :source::text) as seen,
  (select count(*) from gov_intake_gap g where g.source = :source::text) as gaps
from gov_worker_cursor w
join gov_worker_cursor n on n.worker = w.worker and n.source = w.source and n.round = 'near'
where w.worker = :worker::text and w.source = :source::text and w.round = 'wide'
