-- The rows of groups that stand at $2 under rules $1, with what they were decided from and to: what is equal to it need not be written.
select c.group_key, c.input_hash, c.candidate_verdict, c.verdict_line, c.row_state, c.weight, c.risk_class, c.owner_scope
from governance_candidate_state c
join evolution_snapshots s on s.id = c.source_snapshot_ref
where c.row_state in ('active', 'retired') and c.ruleset_version = $1::text and not c.dirty and c.recompute_status = 'ok'
  and c.stale_after > $2::timestamptz
