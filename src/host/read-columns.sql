-- The columns of those relations, with the family their type belongs to; domains, also domains over domains, count as
-- what they are made of.
with recursive base (oid, type_oid, depth) as (
  select t.oid, t.oid, 0 from pg_type t
  where t.oid in (select a.atttypid from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = to_regnamespace(quote_ident($1::text)) and c.relname = any ($2::text[]))
  union all
  select b.oid, t.typbasetype, b.depth + 1 from base b join pg_type t on t.oid = b.type_oid and t.typtype = 'd'
)
select
  c.relname::text as relation,
  a.attname::text as column_name,
  format_type(a.atttypid, a.atttypmod) as type_name,
  case
    when t.typname in ('int2', 'int4', 'int8', 'numeric') then 'integer'
    when t.typname in ('text', 'varchar', 'bpchar', 'name', 'citext') then 'text'
    when t.typtype = 'e' then 'enum'
    when t.typname = 'bool' then 'boolean'
    when t.typname in ('timestamptz', 'timestamp', 'uuid', 'interval') then t.typname::text
    when t.typname in ('json', 'jsonb') then 'json'
    when t.typcategory = 'A' then 'array'
    else 'other'
  end as family
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join base b on b.oid = a.atttypid
join pg_type t on t.oid = b.type_oid and t.typtype <> 'd'
where c.relnamespace = to_regnamespace(quote_ident($1::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relname = any ($2::text[])
order by relation, a.attnum
