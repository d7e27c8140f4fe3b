-- Where births come from: how many per collection, species and origin; of all collections, or of those in $1.
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.dot_origin::text as dot_origin,
  count(*) as births
from birth_registry b
where $1::text[] is null or b.collection_name = any ($1::text[])
group by b.collection_name, b.species_code, b.dot_origin
