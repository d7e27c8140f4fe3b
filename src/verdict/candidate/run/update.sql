-- A run goes on, or ends; null leaves a column as it is. An ended run stays as it ended.
update candidate_scan_run r
set status = $2::text, finished_at = case when $2::text = 'running' then null else $3::timestamptz end,
  source_snapshot_ref = coalesce($4::bigint, r.source_snapshot_ref),
  closing_snapshot_ref = coalesce($5::bigint, r.closing_snapshot_ref),
  ruleset_version = coalesce($6::text, r.ruleset_version), phase = coalesce($7::text, r.phase),
  counts = coalesce($8::jsonb, r.counts), proof = coalesce($9::jsonb, r.proof), ledger = coalesce($10::jsonb, r.ledger),
  error = $11::text
where r.run_id = $1::text and r.status = 'running'
returning r.run_id
