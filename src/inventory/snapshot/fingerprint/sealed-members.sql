-- The same for the collections whose objects are looked at one by one.
with member (collection_name, code, status) as (
  {{members}}
)
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  m.status as member_status, sum(w.w1)::numeric as w1, sum(w.w2)::numeric as w2, sum(w.w3)::numeric as w3, sum(w.w4)::numeric as w4
from birth_registry b
{{row_words}}
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.id >= $1::bigint and b.id <= $2::bigint and b.collection_name = any ($3::text[])
group by b.collection_name, b.species_code, b.status, m.status
