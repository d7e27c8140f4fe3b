-- A digest of all members whose own status counts. Another one: births may belong to other groups than before.
with member (collection_name, code, status) as (
  {{members}}
),
hashed as (
  select hashtextextended(m.code collate "C", hashtextextended(m.collection_name collate "C", 4703202606014703)) as a,
    hashtextextended(m.code collate "C", hashtextextended(m.collection_name collate "C", 6152914691236517205)) as b,
    m.status collate "C" as status
  from member m
  where m.code is not null
)
select concat_ws(':', count(*),
  sum(case when h.status is null then hashint8extended(-1, h.a) else hashtextextended(h.status, h.a) end),
  sum(case when h.status is null then hashint8extended(-1, h.b) else hashtextextended(h.status, h.b) end)) as digest
from hashed h
