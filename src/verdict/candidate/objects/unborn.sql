-- Members that their registry lists and birth does not know.
with member (collection_name, code, status) as (
  {{members}}
)
select m.collection_name, m.code as entity_code, m.status as member_status
from member m
where not exists (
  select from birth_registry b where b.collection_name = m.collection_name and b.entity_code = m.code)
order by m.collection_name collate "C", m.code collate "C"
