-- What was believed of these rows, newest first.
select h.history_id, h.row_id, h.group_key, h.collection_name, h.entity_code, h.scope, h.ruleset_version, h.source_snapshot_ref,
  h.scan_time, h.verdict_before, h.verdict_after, h.outcome_before, h.outcome_after, h.verdict_line, h.cause, h.run_id,
  h.recorded_at
from governance_verdict_history h
where h.row_id = any ($1::bigint[])
order by h.history_id desc
limit $2::bigint
