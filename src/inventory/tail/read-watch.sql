-- How far the tail is behind, in transactions, and what it has to remember meanwhile.
select w.horizon, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - w.horizon::text::bigint as horizon_age,
  extract(epoch from $3::timestamptz - (w.metadata ->> 'horizon_since')::timestamptz)::float8 as horizon_seconds,
  n.watermark_id as max_id, w.last_run_at as last_wide_at, n.last_run_at as last_near_at,
  (select count(*) from gov_intake_seen s where s.source = $2::text) as seen,
  (select count(*) from gov_intake_gap g where g.source = $2::text) as gaps
from gov_worker_cursor w
join gov_worker_cursor n on n.worker = w.worker and n.source = w.source and n.round = 'near'
where w.worker = $1::text and w.source = $2::text and w.round = 'wide'
