-- fragment: validity
-- Why row `c` with the snapshot `s` is not valid at :at, by the predicate of governance_validity(), which
-- would read all rows.
left join governance_ruleset r on r.ruleset_version = c.ruleset_version
cross join lateral (
  select case
    when c.row_state not in ('active', 'retired') then 'superseded'
    else gcos_validity_reason(r.status, s.id is not null, c.recompute_status, c.dirty, c.stale_after, :at::timestamptz)
  end as reason
) as v

-- name: readGroups
-- Rows of groups, with whether each is valid at :at. A null filter matches all; only live rows unless
-- :past.
-- nullable: owner_scope, axis_family, lifecycle_status, snapshot_at, input_quality_state, dirty_reason
-- nullable: dirtied_at, coverage_outcome, coverage_scan_ref, coverage_evidence, carried_from, invalid_reason
-- nullable: :group_keys, :inventory_keys, :scope
select c.row_id, c.group_key, c.inventory_key, c.scope, c.owner_scope, i.object_class, i.source_registry, i.axis_family,
  i.lifecycle_status, i.inherits, c.ruleset_version, c.source_snapshot_ref, s.snapshot_at::timestamptz as snapshot_at, c.scan_time,
  c.stale_after, c.candidate_verdict, c.verdict_line, c.evidence, c.input_quality_state, c.dirty, c.dirty_reason, c.dirtied_at,
  c.depends_on, c.recompute_status, c.risk_class, c.coverage_required, c.coverage_outcome, c.coverage_scan_ref, c.coverage_evidence, c.weight,
  c.input_hash, c.carried_from, c.last_run_id, c.row_state, c.created_at, c.updated_at, v.reason is null as valid,
  v.reason as invalid_reason
from governance_candidate_state c
join governance_inventory i on i.inventory_key = c.inventory_key
left join evolution_snapshots s on s.id = c.source_snapshot_ref
{{validity}}
where (:group_keys::text[] is null or c.group_key = any (:group_keys::text[]))
  and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
  and (:scope::text is null or c.scope = :scope::text)
  and (:past::boolean or c.row_state in ('active', 'retired'))
order by c.inventory_key, c.scope, c.row_id

-- name: readObjects
-- Rows of single objects, with whether each is valid at :at. A null filter matches all; only live rows
-- unless :past.
-- nullable: birth_id, owner_scope, axis_family, lifecycle_status, snapshot_at, input_quality_state
-- nullable: dirty_reason, dirtied_at, coverage_outcome, coverage_scan_ref, coverage_evidence, carried_from
-- nullable: invalid_reason, :collections, :codes, :inventory_keys
select c.row_id, c.collection_name, c.entity_code, c.materialization_reason, c.reasons, c.birth_id, c.group_key, c.inventory_key,
  c.scope, c.owner_scope, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.inherits, c.ruleset_version,
  c.source_snapshot_ref, s.snapshot_at::timestamptz as snapshot_at, c.scan_time, c.stale_after, c.candidate_verdict,
  c.verdict_line, c.evidence, c.input_quality_state, c.dirty, c.dirty_reason, c.dirtied_at, c.depends_on, c.recompute_status,
  c.risk_class, c.coverage_required, c.coverage_outcome, c.coverage_scan_ref, c.coverage_evidence, c.weight, c.input_hash, c.carried_from,
  c.last_run_id, c.row_state, c.created_at, c.updated_at, v.reason is null as valid,
  v.reason as invalid_reason
from governance_candidate_object c
join governance_inventory i on i.inventory_key = c.inventory_key
left join evolution_snapshots s on s.id = c.source_snapshot_ref
{{validity}}
-- An array of keys uses the index, where a sub-select would be compared with every row.
where (:collections::text[] is null or c.object_key = any (array(
    select gcos_object_key(k.collection_name, k.code) from unnest(:collections::text[], :codes::text[]) as k(collection_name, code))))
  and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
  and (:past::boolean or c.row_state in ('active', 'retired'))
order by c.object_key, c.scope, c.row_id

-- name: readHistoryRows
-- The history of these rows, newest first.
-- nullable: collection_name, entity_code, verdict_before, outcome_before, outcome_after
select h.history_id, h.row_id, h.group_key, h.collection_name, h.entity_code, h.scope, h.ruleset_version, h.source_snapshot_ref,
  h.scan_time, h.verdict_before, h.verdict_after, h.outcome_before, h.outcome_after, h.verdict_line, h.cause, h.run_id,
  h.recorded_at
from governance_verdict_history h
where h.row_id = any (:row_ids::bigint[])
order by h.history_id desc
limit :limit::bigint

-- name: readBirths
-- The births of one key, and the status of the member in its registry.
-- nullable: species_code, status, member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select b.id::bigint as id, b.species_code::text as species_code, b.status::text as status, b.born_at, m.status as member_status,
  m.code is not null as listed
from birth_registry b
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.collection_name = :collection::text and b.entity_code = :code::text and b.id is not null and b.born_at is not null
order by b.id
