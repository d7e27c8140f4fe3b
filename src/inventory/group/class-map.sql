-- INVARIANT: the class of births is derived only here; TypeScript and the gate read it from here. The
-- functions are text and their bodies are not checked at creation, because the catalogue belongs to the
-- host.
set local check_function_bodies = off;

-- The catalogue as GCOS reads it: the classes that births of a collection can have, by species. A row
-- without species applies to births of every species for which the collection has no row. `choice` 1 is
-- the class; if there are more choices, the catalogue is ambiguous and the first entry counts. A
-- catalogue row without a class is ignored.
create function {{trust}}.gcos_class_map()
returns table (collection_name text, species_code text, choice bigint, object_class text, registry text, code text)
language sql stable rows 200
as $gcos_function$
  select l.collection_name, s.species_code, row_number() over (partition by l.collection_name, s.species_code order by l.code collate "C"),
    l.object_class, l.registry, l.code
  from (
    select coalesce(nullif(m.registry_collection::text, ''), m.collection_name::text) as collection_name, m.species_code::text as species_code,
      m.entity_type::text as object_class, nullif(m.registry_collection::text, '') as registry, m.code::text as code
    from {{schema}}.meta_catalog m
    where m.entity_type::text <> ''
  ) as l
  cross join lateral (
    select l.species_code where l.species_code is not null
    union all
    select null
  ) as s
  where l.collection_name is not null
$gcos_function$;
comment on function {{trust}}.gcos_class_map() is 'GCOS: the possible classes of births by collection and species; choice 1 is the class';

-- The inventory group of objects, by the first birth of each. An object without a birth has no row; the
-- key is null when no such group exists yet. A birth without id or time is set aside: it does not count.
-- For classes that do not inherit, the group depends on the status in the member registry, which this
-- function does not read: it returns the latest group of the class.
create function {{trust}}.gcos_groups_of(p_collections text[], p_codes text[])
returns table (no bigint, inventory_key text, inherits boolean)
language sql stable rows 10
as $gcos_function$
  with birth as materialized (
    select o.no, o.collection_name, b.species_code, b.status
    from unnest(p_collections, p_codes) with ordinality as o(collection_name, entity_code, no)
    cross join lateral (
      select n.species_code::text as species_code, n.status::text as status
      from {{schema}}.birth_registry n
      where n.collection_name = o.collection_name and n.entity_code = o.entity_code and n.id is not null and n.born_at is not null
      order by n.id
      limit 1
    ) as b
  ),
  class as materialized (
    select k.collection_name, k.species_code, coalesce((
      select m.object_class
      from {{trust}}.gcos_class_map() m
      where m.collection_name = k.collection_name and m.choice = 1 and (m.species_code = k.species_code or m.species_code is null)
      order by m.species_code is null
      limit 1), 'unresolved') as object_class
    from (select distinct b.collection_name, b.species_code from birth b) as k
  )
  select b.no, g.inventory_key, coalesce(g.inherits, false)
  from birth b
  join class c on c.collection_name = b.collection_name and c.species_code is not distinct from b.species_code
  left join lateral (
    select i.inventory_key, i.inherits
    from {{schema}}.governance_inventory i
    where i.source_registry = b.collection_name and i.object_class = c.object_class
      and (not i.inherits or i.lifecycle_status is not distinct from b.status)
    order by coalesce(i.member_count, 1) > 0 desc, i.first_seen_at desc
    limit 1
  ) as g on true
$gcos_function$;
comment on function {{trust}}.gcos_groups_of(text[], text[]) is 'GCOS: the inventory group of each object, by its first birth';

revoke all on function {{trust}}.gcos_class_map(), {{trust}}.gcos_groups_of(text[], text[]) from public;
grant execute on function {{trust}}.gcos_class_map(), {{trust}}.gcos_groups_of(text[], text[]) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local check_function_bodies to default;
