-- use: ./row.sql

-- name: readBounds
-- The first and the last id, through the primary key.
-- nullable: first_id, last_id
select min(b.id)::bigint as first_id, max(b.id)::bigint as last_id from birth_registry b

-- name: readServerFacts
-- The server properties that hashes depend on. The hash of a text reveals the byte order: :little_endian
-- is the value on a little-endian server.
select current_setting('server_version_num')::int4 as version_num,
  pg_encoding_to_char(d.encoding)::text as encoding,
  case when hashtextextended('gcos' collate "C", 1) = :little_endian::bigint then 'little' else 'big' end as endianness
from pg_database d
where d.datname = current_database()

-- fragment: births_by_place
n as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    count(*) as births, max(b.id)::bigint as max_id, max(b.born_at) as max_born_at, sum(r.h1) as h1, sum(r.h2) as h2
  from birth_registry b
  {{row_hash}}

-- fragment: sums_by_place
  group by b.collection_name, b.species_code, b.status
)
select n.collection_name, n.species_code, n.status, n.births, n.max_id, n.max_born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}

-- name: aggregateAllBirths
-- Counts, maxima and sums of hashes of all births, per collection, species and status. Without a range
-- condition per row it takes a tenth less time.
-- nullable: species_code, status
with {{births_by_place}}
  where {{keyed}}
{{sums_by_place}}

-- name: aggregateBirths
-- The same for the births from :first to :last.
-- nullable: species_code, status
with {{births_by_place}}
  where b.id >= :first::bigint and b.id <= :last::bigint and {{keyed}}
{{sums_by_place}}

-- name: aggregateMembers
-- The same for the collections :collections, whose objects count one by one: per status of the member in
-- its registry, if it has one, with the keys whose first birth in this range is here, so that a second
-- birth of a key has no weight. Keys are returned as hashes.
-- nullable: species_code, status, member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
),
birth as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    m.status as member_status, b.id::bigint as id, b.born_at, r.h1, r.h2,
    row_number() over (partition by b.collection_name, b.entity_code order by b.id) = 1 as is_first,
    hashtextextended(b.entity_code::text collate "C", 1) as key_hash
  from birth_registry b
  {{row_hash}}
  left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
  where b.id >= :first::bigint and b.id <= :last::bigint and b.collection_name = any (:collections::text[]) and {{keyed}}
),
n as (
  select collection_name, species_code, status, member_status, count(*) as births, max(id) as max_id,
    max(born_at) as max_born_at, sum(h1) as h1, sum(h2) as h2,
    coalesce(array_agg(key_hash) filter (where is_first), '{}') as keys
  from birth
  group by collection_name, species_code, status, member_status
)
select n.collection_name, n.species_code, n.status, n.member_status, n.births, n.max_id, n.max_born_at,
  n.h1 * f.h1 as h1, n.h2 * f.h2 as h2, n.keys
from n
{{name_factor}}

-- name: sealBirths
-- Sums of the four words of each row's SHA-256 over the births from :first to :last, per collection,
-- species and status.
-- nullable: species_code, status, member_status
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  null::text as member_status, sum(w.w1)::numeric as w1, sum(w.w2)::numeric as w2, sum(w.w3)::numeric as w3, sum(w.w4)::numeric as w4
from birth_registry b
{{row_words}}
where b.id >= :first::bigint and b.id <= :last::bigint and b.collection_name <> all (:collections::text[]) and {{keyed}}
group by b.collection_name, b.species_code, b.status

-- name: sealMembers
-- The same for the collections whose objects count one by one.
-- nullable: species_code, status, member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  m.status as member_status, sum(w.w1)::numeric as w1, sum(w.w2)::numeric as w2, sum(w.w3)::numeric as w3, sum(w.w4)::numeric as w4
from birth_registry b
{{row_words}}
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.id >= :first::bigint and b.id <= :last::bigint and b.collection_name = any (:collections::text[]) and {{keyed}}
group by b.collection_name, b.species_code, b.status, m.status
