b.id::bigint as id, b.collection_name::text as collection_name, b.entity_code::text as code, b.species_code::text as species_code,
  b.status::text as status, b.born_at, age(b.xmin) as row_age, r.h1, r.h2
