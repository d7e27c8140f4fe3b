-- The columns of those relations, with the family their type belongs to.
select
  c.relname::text as relation,
  a.attname::text as column_name,
  format_type(a.atttypid, a.atttypmod) as type_name,
  case
    when b.typname in ('int2', 'int4', 'int8', 'numeric') then 'integer'
    when b.typname in ('text', 'varchar', 'bpchar', 'name', 'citext') or t.typtype = 'e' then 'text'
    when b.typname = 'bool' then 'boolean'
    when b.typname in ('timestamptz', 'timestamp', 'uuid', 'interval') then b.typname::text
    when b.typname in ('json', 'jsonb') then 'json'
    when b.typcategory = 'A' then 'array'
    else 'other'
  end as family
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
join pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
where c.relnamespace = to_regnamespace(quote_ident($1::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relname = any ($2::text[])
order by relation, a.attnum
