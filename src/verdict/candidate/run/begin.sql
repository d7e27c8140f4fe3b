insert into candidate_scan_run (run_id, kind, mode, status, started_at, source_snapshot_ref, ruleset_version, phase, counts)
values ($1::text, $2::text, $3::text, 'running', $4::timestamptz, $5::bigint, $6::text, $7::text, $8::jsonb)
on conflict (run_id) do nothing
returning run_id
