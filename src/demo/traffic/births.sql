-- Births, some of them stamped by a client whose clock is wrong: $6 is how many seconds from now they claim to have been born. An empty text stands for null.
with born as (
  insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, born_at, governance_role)
  select n.code, n.collection_name, nullif(n.species_code, ''), nullif(n.composition_level, ''), nullif(n.dot_origin, ''),
    clock_timestamp() + make_interval(secs => n.seconds), nullif(n.governance_role, '')
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int4[], $7::text[])
    as n(code, collection_name, species_code, composition_level, dot_origin, seconds, governance_role)
  returning id
)
select count(*) as rows from born
