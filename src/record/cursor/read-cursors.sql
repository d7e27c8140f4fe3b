select worker, source, round, watermark_at, watermark_id, id_type, horizon, fence, events_seen, attempts_written,
  dead_lettered, phase, last_run_at, last_run_summary, metadata, regressed_at
from gov_worker_cursor
where ($1::text is null or worker = $1::text)
  and ($2::text is null or source = $2::text)
  and ($3::text is null or round = $3::text)
order by worker, source, round
