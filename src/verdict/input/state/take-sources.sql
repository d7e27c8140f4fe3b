-- Decisions about sources that nobody has acted on: marked verdicts for, or with $1 evaluated.
update governance_input_trust t
set marked = true, pending = not $1::boolean
where t.pending and ($1::boolean or not t.marked)
returning t.source_kind, t.source
