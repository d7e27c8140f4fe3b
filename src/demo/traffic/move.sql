-- Moves from one collection to another.
with moved as (
  update birth_registry b
  set collection_name = n.target
  from unnest($1::text[], $2::text[], $3::text[]) as n(collection_name, code, target)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from moved
