-- name: readPlaces
-- The places of births from id :id on, or born since :at, of classes that inherit. :single are the
-- collections of other classes, :last is the highest id taken in. Births of GCOS findings are left out.
-- nullable: species_code, status, :id, :at
select distinct b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status
from birth_registry b
where (:id::bigint is null or b.id >= :id::bigint) and (:at::timestamptz is null or b.born_at >= :at::timestamptz)
  and b.collection_name <> all (:single::text[]) and b.id <= :last::bigint and b.entity_code is not null
  and not (b.collection_name = 'system_issues' and starts_with(b.entity_code, 'GCOS-'))

-- name: readKeys
-- The same for objects that are evaluated one by one.
-- nullable: :id, :at
select distinct b.collection_name::text as collection_name, b.entity_code::text as entity_code
from birth_registry b
where (:id::bigint is null or b.id >= :id::bigint) and (:at::timestamptz is null or b.born_at >= :at::timestamptz)
  and b.collection_name = any (:single::text[]) and b.id <= :last::bigint and b.entity_code is not null
  and not (b.collection_name = 'system_issues' and starts_with(b.entity_code, 'GCOS-'))

-- name: readLines
-- The lines of both logs since :at, except GCOS's own. The change log has no time zone: its times are UTC.
-- nullable: kind_of, code
select 'registry_changelog' as source, c.id::text as ref, coalesce(c.action::text, '') as action, c.entity_type::text as kind_of,
  c.entity_code::text as code
from registry_changelog c
where c."timestamp" >= :at::timestamptz at time zone 'UTC'
  and (starts_with(c.changed_by::text, 'gcos:') or starts_with(c.entity_code::text, 'GCOS-')) is not true
union all
select 'event_outbox', e.id::text, concat_ws('.', e.event_domain::text, e.event_type::text), e.event_subject_table::text,
  e.event_subject_ref::text
from event_outbox e
where e.created_at >= :at::timestamptz
  and (e.event_domain = 'governance' or e.source_system = 'gcos' or starts_with(e.event_subject_ref::text, 'GCOS-')) is not true
