-- Asks the gate: $1 to $5 side by side, one question each; an object has a collection and a code, a group a key.
-- One row per answer, with the numbers of the questions that it answers.
select c.check_id, c.item_nos, c.decided_at, c.answer, c.mode, c.high_risk, c.pass_code, c.scopes, c.snapshot_refs,
  c.ruleset_versions, c.scan_times, c.reasons
from gcos_gate_check($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz, $7::text[]) c
