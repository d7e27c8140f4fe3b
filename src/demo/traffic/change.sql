-- Changes in place.
with changed as (
  update birth_registry b
  set certified = not coalesce(b.certified, false), certified_at = case when coalesce(b.certified, false) then null else now() end
  from unnest($1::text[], $2::text[]) as n(collection_name, code)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from changed
