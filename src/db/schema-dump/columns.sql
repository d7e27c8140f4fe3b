-- Columns in their order. NOT NULL is told here, because newer servers also list it as a constraint.
select
  'relation ' || c.relname as object,
  1000 + a.attnum::integer as rank,
  concat_ws(' ', 'column', a.attname::text, format_type(a.atttypid, a.atttypmod),
    case when a.attcollation <> t.typcollation then 'collate ' || quote_ident(l.collname) end,
    case when a.attnotnull then 'not null' end,
    case when a.attidentity <> '' then 'identity ' || a.attidentity::text end,
    case when a.attgenerated <> '' then 'generated ' || a.attgenerated::text end,
    case when a.attstorage <> t.typstorage then 'storage ' || a.attstorage::text end,
    case when a.attstattarget > 0 then 'statistics ' || a.attstattarget::text end,
    case when d.oid is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as line
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_collation l on l.oid = a.attcollation
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where c.relnamespace = to_regnamespace(quote_ident($1::text)) and c.relkind in ('r', 'p', 'v', 'm', 'f')
