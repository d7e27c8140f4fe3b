-- Sums of the four words of each row's SHA-256, of the births from $1 to $2, per collection, species and status.
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  null::text as member_status, sum(w.w1)::numeric as w1, sum(w.w2)::numeric as w2, sum(w.w3)::numeric as w3, sum(w.w4)::numeric as w4
from birth_registry b
{{row_words}}
where b.id >= $1::bigint and b.id <= $2::bigint and b.collection_name <> all ($3::text[])
group by b.collection_name, b.species_code, b.status
