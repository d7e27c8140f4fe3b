-- The live rows of groups ($3 null: of all) under rules $1, with what they were decided from and to, and whether they hold at $2: what
-- is equal and holds need not be written, and what is equal need not be evaluated.
select c.group_key, c.input_hash, c.candidate_verdict, c.verdict_line, c.row_state, c.weight, c.risk_class, c.owner_scope,
  not c.dirty and c.recompute_status = 'ok' and c.stale_after > $2::timestamptz and exists (
    select from evolution_snapshots s where s.id = c.source_snapshot_ref) as holds
from governance_candidate_state c
where c.row_state in ('active', 'retired') and c.ruleset_version = $1::text
  and ($3::text[] is null or c.inventory_key = any ($3::text[]))
