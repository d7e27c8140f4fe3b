-- name: emitBatch
select e.emitted, e.held, e.repeated
from gcos_emit(:types::text[], :subject_tables::text[], :subject_refs::text[], :addresses::text[], :severities::text[], :payloads::text[], :occurred_at::text[], :correlation_ids::text[], :dedupe_keys::text[]) as e
