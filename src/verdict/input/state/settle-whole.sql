-- Which collections are not accepted as a whole: exactly these ($1 to $4; the scopes as JSON, null: all). What changes nothing is
-- not touched; all others are accepted again.
with said as (
  select 'collection:' || u.collection_name as subject_key, u.collection_name, u.input_state, u.cause,
    case when u.scopes is not null then array(select jsonb_array_elements_text(u.scopes::jsonb)) end as scopes
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as u(collection_name, input_state, cause, scopes)
),
written as (
  insert into governance_input_state as s (subject_key, collection_name, input_state, cause, scopes, since)
  select n.subject_key, n.collection_name, n.input_state, n.cause, n.scopes, $5::timestamptz
  from said n
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
  set cured_at = $5::timestamptz
  where s.entity_code is null and s.cured_at is null and s.collection_name <> all ($1::text[])
  returning s.collection_name
)
select w.collection_name from written w
union all
select c.collection_name from cured c
