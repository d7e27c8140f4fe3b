with deleted as (
  delete from birth_registry b
  using unnest($1::text[], $2::text[]) as n(collection_name, code)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from deleted
