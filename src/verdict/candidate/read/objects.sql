-- Rows of single objects with whether each still holds at $5. Null filters hold for all; only live rows unless $4.
select c.row_id, c.collection_name, c.entity_code, c.materialization_reason, c.reasons, c.birth_id, c.group_key, c.inventory_key,
  c.scope, c.owner_scope, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.inherits, c.ruleset_version,
  c.source_snapshot_ref, s.snapshot_at::timestamptz as snapshot_at, c.scan_time, c.stale_after, c.candidate_verdict,
  c.verdict_line, c.evidence, c.input_quality_state, c.dirty, c.dirty_reason, c.dirtied_at, c.depends_on, c.recompute_status,
  c.risk_class, c.coverage_required, c.coverage_outcome, c.coverage_scan_ref, c.coverage_evidence, c.weight, c.input_hash, c.carried_from,
  c.last_run_id, c.row_state, c.created_at, c.updated_at, coalesce(v.valid, false) as valid,
  case when v.row_id is null then 'superseded' else v.reason end as invalid_reason
from governance_candidate_object c
join governance_inventory i on i.inventory_key = c.inventory_key
left join evolution_snapshots s on s.id = c.source_snapshot_ref
left join governance_validity($5::timestamptz) v on v.row_id = c.row_id
where ($1::text[] is null or c.object_key = any (
    select gcos_object_key(k.collection_name, k.code) from unnest($1::text[], $2::text[]) as k(collection_name, code)))
  and ($3::text[] is null or c.inventory_key = any ($3::text[]))
  and ($4::boolean or c.row_state in ('active', 'retired'))
order by c.object_key, c.scope, c.row_id
