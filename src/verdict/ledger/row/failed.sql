-- Births of the collections $1 that could not be processed and have no row in the scopes $2 for that reason: accounted for,
-- as not verified. Only the first birth of a key is a unit. A tombstone is of the object that was there before it.
with member (collection_name, code, status) as (
  {{members}}
),
failed as (
  select distinct c.id, e.capture_payload ->> 'dead_lettered_at' is not null as dead
  from event_pending e
  cross join lateral (
    select case when e.entity_ref::text ~ '^-?[0-9]{1,18}$' then e.entity_ref::text::bigint end as id
  ) c
  where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.processed_at is null
    and e.entity_table = 'birth_registry'
)
select s.scope, b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  m.status as member_status, f.dead, count(*) as units, sum(hashtextextended(b.entity_code::text collate "C", 0)) as keys
from failed f
join birth_registry b on b.id = f.id
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
cross join unnest($2::text[]) as s(scope)
where b.collection_name = any ($1::text[])
  and not exists (
    select from birth_registry e
    where e.collection_name = b.collection_name and e.entity_code = b.entity_code and e.id < b.id)
  and not exists (
    select from governance_candidate_object o
    where o.object_key = gcos_object_key(b.collection_name::text, b.entity_code::text) and o.scope = s.scope
      and o.row_state = 'active')
group by s.scope, b.collection_name, b.species_code, b.status, m.status, f.dead
