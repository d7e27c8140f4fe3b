-- Where the births from id $1, or born since $2, are, of classes that inherit; $3 are the collections of others, $4 the highest id taken in.
-- GCOS's own are left out.
select distinct b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status
from birth_registry b
where ($1::bigint is null or b.id >= $1::bigint) and ($2::timestamptz is null or b.born_at >= $2::timestamptz)
  and b.collection_name <> all ($3::text[]) and b.id <= $4::bigint
  and not (b.collection_name = 'system_issues' and starts_with(b.entity_code, 'GCOS-'))
