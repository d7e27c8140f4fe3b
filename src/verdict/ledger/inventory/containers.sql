-- Where births $1 to $2 are: a container that has members counts once, however many they are.
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  count(*) as births
from birth_registry b
where b.id between $1::bigint and $2::bigint
group by b.collection_name, b.species_code, b.status
