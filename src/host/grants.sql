-- name: readSequences
-- The sequences in column defaults of those relations. The sequence of an identity column needs no privilege.
select distinct s.relname::text as sequence
from pg_class c
join pg_attrdef d on d.adrelid = c.oid
join pg_depend k on k.classid = 'pg_attrdef'::regclass and k.objid = d.oid and k.refclassid = 'pg_class'::regclass
join pg_class s on s.oid = k.refobjid and s.relkind = 'S' and s.relnamespace = c.relnamespace
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
  and c.relname = any (:relations::text[])
order by sequence
