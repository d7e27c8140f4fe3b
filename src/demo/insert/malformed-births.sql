-- The malformed births, with the last ids.
insert into birth_registry (
  id, entity_code, collection_name, species_code, composition_level, dot_origin, born_at, governance_role, certified, status)
select
  :births_before + b.ordinal, b.code, b.collection,
  case when b.given ? 'species' then b.given ->> 'species' else coalesce(s.species_code, r.species_code, 'SP-ARTICLE') end,
  'atom',
  case when b.given ? 'origin' then b.given ->> 'origin' else 'DOT-014' end,
  coalesce((b.given ->> 'bornAt')::timestamptz, timestamptz '2026-06-01 23:59:00.000417+00' + b.ordinal * interval '1.000013 seconds'),
  case when b.given ? 'role' then b.given ->> 'role' else coalesce(c.role, 'observed') end,
  false,
  case when b.given ? 'status' then b.given ->> 'status' else 'born' end
from (
  select ordinal, given, given ->> 'collection' as collection, given ->> 'code' as code
  from jsonb_array_elements(:malformed::jsonb) with ordinality as entry (given, ordinal)
) as b
left join lateral (
  select species_code from pg_temp.estate_strain where collection_name = b.collection order by ordinal limit 1
) as s on true
left join pg_temp.estate_registry r on r.collection_name = b.collection
left join pg_temp.estate_collection c on c.collection_name = b.collection;
