-- Of the given keys: the first birth of each, which is the one that weighs, and how many births it has.
select k.collection_name, k.code, min(b.id)::bigint as first_id, count(*) as births
from unnest($1::text[], $2::text[]) as k(collection_name, code)
join birth_registry b on b.collection_name = k.collection_name and b.entity_code = k.code
group by k.collection_name, k.code
