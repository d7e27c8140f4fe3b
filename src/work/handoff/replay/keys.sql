-- The same, of objects that are looked at one by one.
select distinct b.collection_name::text as collection_name, b.entity_code::text as entity_code
from birth_registry b
where ($1::bigint is null or b.id >= $1::bigint) and ($2::timestamptz is null or b.born_at >= $2::timestamptz)
  and b.collection_name = any ($3::text[]) and b.id <= $4::bigint
  and not (b.collection_name = 'system_issues' and starts_with(b.entity_code, 'GCOS-'))
