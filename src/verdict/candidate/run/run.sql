-- name: begin
-- nullable: :mode, :snapshot_ref, :ruleset_version, :phase
select gcos_begin_run(:run_id::text, :kind::text, :mode::text, :snapshot_ref::bigint, :ruleset_version::text, :phase::text, :counts::jsonb) as begun

-- name: update
-- Updates or ends a running run; null leaves a column unchanged. An ended run is never changed.
-- nullable: :snapshot_ref, :closing_snapshot_ref, :ruleset_version, :phase, :counts, :proof, :ledger, :error
select gcos_write_run(:run_id::text, :status::text, :snapshot_ref::bigint, :closing_snapshot_ref::bigint, :ruleset_version::text, :phase::text,
  :counts::jsonb, :proof::jsonb, :ledger::jsonb, :error::text) as written

-- name: last
-- Runs, latest first; a null filter matches all.
-- nullable: mode, finished_at, source_snapshot_ref, closing_snapshot_ref, ruleset_version, phase, proof
-- nullable: ledger, error, :run_id, :kind, :status, :mode, :after_at, :after_id
select r.run_id, r.kind, r.mode, r.status, r.started_at, r.finished_at, r.source_snapshot_ref, r.closing_snapshot_ref,
  r.ruleset_version, r.phase, r.counts, r.proof, r.ledger, r.error
from candidate_scan_run r
where (:run_id::text is null or r.run_id = :run_id::text) and (:kind::text is null or r.kind = :kind::text)
  and (:status::text is null or r.status = :status::text)
  and (:mode::text is null or r.mode = :mode::text)
  and (not :closings::boolean or r.kind = 'backfill' or r.mode = 'full')
  and (:after_at::timestamptz is null or (r.started_at, r.run_id) < (:after_at::timestamptz, :after_id::text))
order by r.started_at desc, r.run_id desc
limit :limit::bigint
