-- The latest ledger of a run other than $1: of a completed one, or ($2) of any that got as far as counting.
select r.run_id, r.kind, r.mode, r.status, r.started_at, r.finished_at, r.ruleset_version, r.source_snapshot_ref,
  r.closing_snapshot_ref, r.ledger::text as ledger
from candidate_scan_run r
where r.ledger is not null and r.run_id <> $1::text and (r.status = 'completed' or $2::boolean)
order by r.started_at desc, r.run_id desc
limit 1
