-- name: begin
-- nullable: :mode, :snapshot_ref, :ruleset_version, :phase
insert into candidate_scan_run (run_id, kind, mode, status, started_at, source_snapshot_ref, ruleset_version, phase, counts)
values (:run_id::text, :kind::text, :mode::text, 'running', :at::timestamptz, :snapshot_ref::bigint, :ruleset_version::text, :phase::text, :counts::jsonb)
on conflict (run_id) do nothing
returning run_id

-- name: update
-- Updates or ends a running run; null leaves a column unchanged. An ended run is never changed.
-- nullable: :snapshot_ref, :closing_snapshot_ref, :ruleset_version, :phase, :counts, :proof, :ledger, :error
update candidate_scan_run r
set status = :status::text, finished_at = case when :status::text = 'running' then null else :at::timestamptz end,
  source_snapshot_ref = coalesce(:snapshot_ref::bigint, r.source_snapshot_ref),
  closing_snapshot_ref = coalesce(:closing_snapshot_ref::bigint, r.closing_snapshot_ref),
  ruleset_version = coalesce(:ruleset_version::text, r.ruleset_version), phase = coalesce(:phase::text, r.phase),
  counts = coalesce(:counts::jsonb, r.counts), proof = coalesce(:proof::jsonb, r.proof), ledger = coalesce(:ledger::jsonb, r.ledger),
  error = :error::text
where r.run_id = :run_id::text and r.status = 'running'
returning r.run_id

-- name: last
-- Runs, latest first; a null filter matches all.
-- nullable: mode, finished_at, source_snapshot_ref, closing_snapshot_ref, ruleset_version, phase, proof
-- nullable: ledger, error, :run_id, :kind, :status
select r.run_id, r.kind, r.mode, r.status, r.started_at, r.finished_at, r.source_snapshot_ref, r.closing_snapshot_ref,
  r.ruleset_version, r.phase, r.counts, r.proof, r.ledger, r.error
from candidate_scan_run r
where (:run_id::text is null or r.run_id = :run_id::text) and (:kind::text is null or r.kind = :kind::text)
  and (:status::text is null or r.status = :status::text)
order by r.started_at desc, r.run_id desc
limit :limit::bigint
