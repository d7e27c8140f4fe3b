-- Decisions about objects that nobody has acted on: marked verdicts for, or with $1 evaluated.
update governance_input_state s
set marked = true, pending = not $1::boolean
where s.pending and ($1::boolean or not s.marked)
returning s.collection_name, s.entity_code
