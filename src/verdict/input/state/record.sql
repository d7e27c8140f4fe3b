-- What was found about objects: $1 to $6, the state null where nothing holds, the scopes as JSON (null: all). Only what differs is
-- written. Who has not seen all births ($8) does not know that a key is born once. An object that was corrected and is wrong
-- again for the $9th time is set aside until somebody releases it.
with found as materialized (
  select gcos_object_key(u.collection_name, u.code) as subject_key, u.collection_name, u.code, u.input_state, u.cause,
    case when u.scopes is not null then array(select jsonb_array_elements_text(u.scopes::jsonb)) end as scopes, u.birth_id
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
    as u(collection_name, code, input_state, cause, scopes, birth_id)
),
written as (
  insert into governance_input_state as s (subject_key, collection_name, entity_code, input_state, cause, scopes, birth_id, since)
  select f.subject_key, f.collection_name, f.code, f.input_state, f.cause, f.scopes, f.birth_id, $7::timestamptz
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
    quarantined_at = case when s.cured_at is not null and s.relapses + 1 >= $9::int4
      then coalesce(s.quarantined_at, excluded.since) else s.quarantined_at end,
    quarantined_by = case when s.cured_at is not null and s.relapses + 1 >= $9::int4
      then coalesce(s.quarantined_by, 'gcos') else s.quarantined_by end,
    quarantine_reason = case when s.cured_at is not null and s.relapses + 1 >= $9::int4
      then coalesce(s.quarantine_reason, 'failed repeatedly') else s.quarantine_reason end,
    cured_at = null
  where (s.cured_at is not null or s.input_state <> excluded.input_state
      or s.cause <> excluded.cause and excluded.input_state <> 'quarantined'
      or s.scopes is distinct from excluded.scopes or s.birth_id is distinct from excluded.birth_id)
    and ($8::boolean or s.cured_at is not null or s.input_state not in ('duplicate', 'conflict')
      or excluded.input_state in ('invalid_schema', 'incomplete_input', 'untrusted_source'))
  returning s.subject_key
),
cured as (
  update governance_input_state s
  set cured_at = $7::timestamptz
  from found f
  where s.subject_key = f.subject_key and f.input_state is null and s.cured_at is null and s.quarantined_at is null
    and ($8::boolean or s.input_state not in ('duplicate', 'conflict'))
  returning s.subject_key
)
select (select count(*) from written) as written, (select count(*) from cured) as cured
