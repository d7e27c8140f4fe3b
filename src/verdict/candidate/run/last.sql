-- Runs, the latest first; null filters hold for all.
select r.run_id, r.kind, r.mode, r.status, r.started_at, r.finished_at, r.source_snapshot_ref, r.closing_snapshot_ref,
  r.ruleset_version, r.phase, r.counts, r.proof, r.ledger, r.error
from candidate_scan_run r
where ($1::text is null or r.run_id = $1::text) and ($2::text is null or r.kind = $2::text)
  and ($3::text is null or r.status = $3::text)
order by r.started_at desc, r.run_id desc
limit $4::bigint
