-- The 169 classes. A class names a member registry only if one lists its members; `devices` and `sensor_feed`
-- name tables that do not exist.
insert into meta_catalog (
  code, entity_type, registry_collection, collection_name, species_code, composition_level, record_count, status)
with birth_count as (
  select collection_name, sum(size) as births
  from pg_temp.estate_strain
  group by collection_name
  union all
  select collection_name, members - cardinality(never_born)
  from pg_temp.estate_registry
),
first_strain as (
  select distinct on (collection_name) collection_name, species_code, composition_level
  from pg_temp.estate_strain
  order by collection_name, ordinal
),
class as (
  select c.ordinal, c.object_class, c.collection_name,
    case when r.collection_name is not null or c.collection_name = 'devices' then c.collection_name end as registry,
    coalesce(r.species_code, s.species_code) as species_code, s.composition_level, 'active' as status
  from pg_temp.estate_collection c
  left join pg_temp.estate_registry r using (collection_name)
  left join first_strain s using (collection_name)
  where c.object_class is not null
  union all
  values
    -- A second class of the same species: the class of a birth in `documents` is ambiguous.
    (201, 'dossier', 'documents', null, 'SP-DOCUMENT', null, 'active'),
    -- A second class of another species: the species of a birth determines its class.
    (202, 'contract_annex', 'contracts', null, 'SP-ANNEX', null, 'active'),
    (203, 'sensor_feed', 'sensor_feed', 'sensor_feed', null, null, 'active'),
    (204, 'platform', null, null, null, null, 'draft'),
    -- The tables of GCOS, beside the ordinary tables of the same registry.
    (205, 'governance_record', 'table_registry', 'table_registry', 'SP-RECORD', null, 'active')
)
select
  'CAT-' || lpad((row_number() over (order by class.ordinal))::text, 3, '0'),
  class.object_class, class.registry, class.collection_name, class.species_code, class.composition_level,
  coalesce(birth_count.births, 0), class.status
from class
left join birth_count using (collection_name);
