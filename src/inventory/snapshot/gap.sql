-- name: readRecordCounts
-- The collections of one class, with the number of members that the catalogue counts. Zero, the default of
-- the column, and no number mean that the host does not count them.
select c.collection_name, c.record_count
from (
  select coalesce(nullif(m.registry_collection::text, ''), m.collection_name::text) as collection_name, count(*) as classes,
    max((to_jsonb(m) ->> 'record_count')::numeric)::bigint as record_count
  from meta_catalog m
  where m.entity_type::text <> ''
  group by 1
) as c
where c.collection_name is not null and c.classes = 1 and c.record_count > 0
order by c.collection_name collate "C"

-- name: countMembers
-- The number of members that each registry lists.
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select m.collection_name, count(*) as members from member m group by m.collection_name
