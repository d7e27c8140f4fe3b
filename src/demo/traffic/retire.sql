with retired as (
  update birth_registry b
  set status = 'retired'
  from unnest($1::text[], $2::text[]) as n(collection_name, code)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from retired
