-- The member registries the catalog names, and whether a relation of that name exists in this schema.
select distinct
  m.registry_collection::text as relation,
  c.oid is not null as present
from meta_catalog m
left join pg_class c on c.relname = m.registry_collection
  and c.relnamespace = to_regnamespace(quote_ident($1::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
where m.registry_collection is not null and m.registry_collection <> ''
order by relation
