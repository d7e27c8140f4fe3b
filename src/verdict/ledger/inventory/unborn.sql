-- What the registries $1 list and birth does not know.
with member (collection_name, code, status) as (
  {{members}}
)
select m.collection_name, m.status as member_status, count(*) as units,
  sum(hashtextextended(m.code collate "C", 0)) as keys
from member m
where m.code is not null and m.collection_name = any ($1::text[])
  and not exists (
    select from birth_registry b
    where b.collection_name = any ($1::text[]) and b.collection_name = m.collection_name and b.entity_code = m.code)
group by m.collection_name, m.status
