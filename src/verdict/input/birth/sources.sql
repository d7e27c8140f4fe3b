-- use: ../../../inventory/tail/births.sql

-- name: countSources
-- The number of births with ids from :first to :last per collection, species and origin, of all collections
-- or of :collections.
-- nullable: species_code, dot_origin, :collections
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.dot_origin::text as dot_origin,
  count(*) as births
from birth_registry b
where b.id >= :first::bigint and b.id <= :last::bigint
  and (:collections::text[] is null or b.collection_name = any (:collections::text[])) and {{keyed}}
group by b.collection_name, b.species_code, b.dot_origin

-- name: findFrom
-- The keys of births with ids from :first to :last from these sources: a collection with an origin, or with
-- none.
-- nullable: :origins[]
select distinct b.collection_name::text as collection_name, b.entity_code::text as entity_code
from birth_registry b
join unnest(:collections::text[], :origins::text[]) as s(collection_name, origin)
  on b.collection_name = s.collection_name and b.dot_origin::text is not distinct from s.origin
where b.id >= :first::bigint and b.id <= :last::bigint and {{keyed}}

-- name: findUnvouched
-- Collections with births with ids from :first to :last from unvouched sources: an origin outside :origins,
-- or no origin in a collection outside :sources. One pass without counting: on a million births it takes half
-- the time of counting by source.
select distinct b.collection_name::text as collection_name
from birth_registry b
where b.id >= :first::bigint and b.id <= :last::bigint
  and (b.dot_origin <> all (:origins::text[]) or b.dot_origin is null and b.collection_name <> all (:sources::text[])) and {{keyed}}

-- name: readCollections
-- The collections that have births, by class.
select distinct i.source_registry as collection_name, i.object_class
from governance_inventory i

-- name: collectionsOf
-- The collections of the inventory groups :inventory_keys.
select distinct i.source_registry as collection_name
from governance_inventory i
where i.inventory_key = any (:inventory_keys::text[])
