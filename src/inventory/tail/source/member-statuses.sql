-- The statuses that the given members have in their registries.
with member (collection_name, code, status) as (
  {{members}}
)
select m.collection_name, m.code, m.status
from member m
join unnest($1::text[], $2::text[]) as k(collection_name, code) on k.collection_name = m.collection_name and k.code = m.code
