-- use: ./suspect.sql

-- fragment: birth
select b.id::bigint as id, b.collection_name::text as collection_name, b.entity_code::text as entity_code,
    b.species_code::text as species_code, b.status::text as status, b.governance_role::text as governance_role,
    b.dot_origin::text as dot_origin, b.composition_level::text as composition_level, b.born_at

-- fragment: judge
),
judged as (
  select p.id, p.collection_name, p.entity_code, p.species_code, p.status, p.dot_origin,
    case
      when p.entity_code = '' then 'code_empty'
      when length(p.entity_code) > least(c.code_length, :code_length::int4) then 'code_too_long'
      when :printable::boolean and p.entity_code collate "C" ~ '[\u0001-\u001f\u007f-\u009f]' then 'code_unprintable'
      when p.entity_code !~ c.code_pattern then 'code_pattern'
      when p.born_at > :at::timestamptz + make_interval(secs => :future_seconds::int4) then 'born_in_future'
    end as invalid,
    (select string_agg(f.field, ',' order by f.field)
      from unnest(array['composition_level', 'dot_origin', 'governance_role', 'species_code', 'status'],
        array[p.composition_level, p.dot_origin, p.governance_role, p.species_code, p.status]) as f(field, value)
      where f.field = any (c.required_fields) and coalesce(f.value, '') = '') as missing,
    case
      when p.born_at < :born_after::timestamptz then 'born_before_limit'
      when p.born_at < :at::timestamptz - c.max_age then 'older_than_contract'
    end as old,
    array(select f.value
      from unnest(array['composition_level', 'dot_origin', 'governance_role', 'species_code', 'status'],
        array[p.composition_level, p.dot_origin, p.governance_role, p.species_code, p.status]) as f(field, value)
      where f.field = any (coalesce(c.content_fields, array['governance_role', 'species_code', 'status']))
      order by f.field) as content
  from picked p
  left join governance_input_contract c on c.collection_name = p.collection_name
),
member (collection_name, code, status) as (
  {{members}}
)
select distinct on (j.collection_name collate "C", j.entity_code collate "C")
  j.id, j.collection_name, j.entity_code, j.species_code, j.status, j.dot_origin, j.invalid, j.missing, j.old,
  m.status as member_status, m.code is not null as listed, s.quarantined_at is not null as quarantined,
  s.subject_key is not null as known,
  count(*) over (partition by j.collection_name collate "C", j.entity_code collate "C") as births,
  min(j.content) over (partition by j.collection_name collate "C", j.entity_code collate "C")
    is distinct from max(j.content) over (partition by j.collection_name collate "C", j.entity_code collate "C") as contradicting
from judged j
left join member m on m.collection_name = j.collection_name and m.code = j.entity_code
left join governance_input_state s on s.subject_key = gcos_object_key(j.collection_name, j.entity_code)
order by j.collection_name collate "C", j.entity_code collate "C", j.id

-- name: pickIds
-- The births :ids that may need a row of their own: those of the collections :individual, whose objects are
-- evaluated one by one, and all births with a possible input problem or from unvouched sources. One row per
-- key, with the lowest id, the problem of the birth itself, the status of the member in its registry, and
-- whether the registry lists it. `births` counts the births of the key among :ids.
-- nullable: species_code, status, dot_origin, invalid, missing, old, member_status
-- part members: select null::text, null::text, null::text where false
with picked as materialized (
  {{birth}}
  from birth_registry b
  where b.id = any (:ids::bigint[]) and ({{suspect}} or {{unvouched}}) and {{keyed}}
{{judge}}

-- name: pickKeys
-- All births of these keys, with or without an input problem.
-- nullable: species_code, status, dot_origin, invalid, missing, old, member_status
-- part members: select null::text, null::text, null::text where false
with picked as materialized (
  {{birth}}
  from (select distinct k.collection_name, k.code from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)) as k
  join birth_registry b on b.collection_name = k.collection_name and b.entity_code = k.code
  where {{keyed}}
{{judge}}
