-- name: record
-- Stores the results for objects, :collections to :birth_ids. A null state means no problem; the scopes
-- are JSON (null: all). Only differences are written. A caller that has not read all births of a key
-- (:saw_all_births false) cannot clear duplicates and conflicts. The relapse with the number
-- :quarantine_after puts an object in quarantine until a person releases it.
-- nullable: :states[], :causes[], :scopes[], :birth_ids[]
with found as materialized (
  select gcos_object_key(u.collection_name, u.code) as subject_key, u.collection_name, u.code, u.input_state, u.cause,
    case when u.scopes is not null then array(select jsonb_array_elements_text(u.scopes::jsonb)) end as scopes, u.birth_id
  from unnest(:collections::text[], :codes::text[], :states::text[], :causes::text[], :scopes::text[], :birth_ids::bigint[])
    as u(collection_name, code, input_state, cause, scopes, birth_id)
),
written as (
  insert into governance_input_state as s (subject_key, collection_name, entity_code, input_state, cause, scopes, birth_id, since)
  select f.subject_key, f.collection_name, f.code, f.input_state, f.cause, f.scopes, f.birth_id, :at::timestamptz
  from found f
  where f.input_state is not null
  order by f.subject_key collate "C"
  on conflict (subject_key) do update
  set input_state = excluded.input_state, cause = case when excluded.input_state = 'quarantined' then s.cause else excluded.cause end,
    scopes = excluded.scopes, birth_id = excluded.birth_id,
    since = case when s.cured_at is null and s.input_state = excluded.input_state
        and (s.cause = excluded.cause or excluded.input_state = 'quarantined') and s.scopes is not distinct from excluded.scopes
      then s.since else excluded.since end,
    relapses = s.relapses + (s.cured_at is not null)::int4,
    quarantined_at = case when s.cured_at is not null and s.relapses + 1 >= :quarantine_after::int4
      then coalesce(s.quarantined_at, excluded.since) else s.quarantined_at end,
    quarantined_by = case when s.cured_at is not null and s.relapses + 1 >= :quarantine_after::int4
      then coalesce(s.quarantined_by, 'gcos') else s.quarantined_by end,
    quarantine_reason = case when s.cured_at is not null and s.relapses + 1 >= :quarantine_after::int4
      then coalesce(s.quarantine_reason, 'failed repeatedly') else s.quarantine_reason end,
    cured_at = null
  where (s.cured_at is not null or s.input_state <> excluded.input_state
      or s.cause <> excluded.cause and excluded.input_state <> 'quarantined'
      or s.scopes is distinct from excluded.scopes or s.birth_id is distinct from excluded.birth_id)
    and (:saw_all_births::boolean or s.cured_at is not null or s.input_state not in ('duplicate', 'conflict')
      or excluded.input_state in ('invalid_schema', 'incomplete_input', 'untrusted_source'))
  returning s.subject_key
),
cured as (
  update governance_input_state s
  set cured_at = :at::timestamptz
  from found f
  where s.subject_key = f.subject_key and f.input_state is null and s.cured_at is null and s.quarantined_at is null
    and (:saw_all_births::boolean or s.input_state not in ('duplicate', 'conflict'))
  returning s.subject_key
)
select (select count(*) from written) as written, (select count(*) from cured) as cured

-- name: replaceWholeRows
-- Stores which collections are not accepted as a whole: exactly these, :collections to :scopes (the
-- scopes as JSON, null: all). Unchanged rows are not written. All other collections are accepted again.
-- nullable: :scopes[]
with given as (
  select 'collection:' || u.collection_name as subject_key, u.collection_name, u.input_state, u.cause,
    case when u.scopes is not null then array(select jsonb_array_elements_text(u.scopes::jsonb)) end as scopes
  from unnest(:collections::text[], :states::text[], :causes::text[], :scopes::text[]) as u(collection_name, input_state, cause, scopes)
),
written as (
  insert into governance_input_state as s (subject_key, collection_name, input_state, cause, scopes, since)
  select n.subject_key, n.collection_name, n.input_state, n.cause, n.scopes, :at::timestamptz
  from given n
  order by n.subject_key collate "C"
  on conflict (subject_key) do update
  set input_state = excluded.input_state, cause = excluded.cause, scopes = excluded.scopes,
    relapses = s.relapses + (s.cured_at is not null)::int4, since = excluded.since, cured_at = null
  where s.cured_at is not null or s.input_state <> excluded.input_state or s.cause <> excluded.cause
    or s.scopes is distinct from excluded.scopes
  returning s.collection_name
),
cured as (
  update governance_input_state s
  set cured_at = :at::timestamptz
  where s.entity_code is null and s.cured_at is null and s.collection_name <> all (:collections::text[])
  returning s.collection_name
)
select w.collection_name from written w
union all
select c.collection_name from cured c

-- name: takeObjects
-- Takes the pending decisions about objects, each once, to mark verdicts dirty; with :evaluated also the
-- marked ones, and completes them.
-- nullable: entity_code
update governance_input_state s
set marked = true, pending = not :evaluated::boolean
where s.pending and (:evaluated::boolean or not s.marked)
returning s.collection_name, s.entity_code

-- name: takeSources
-- Takes the pending decisions about sources, each once, to mark verdicts dirty; with :evaluated also the
-- marked ones, and completes them.
update governance_input_trust t
set marked = true, pending = not :evaluated::boolean
where t.pending and (:evaluated::boolean or not t.marked)
returning t.source_kind, t.source
