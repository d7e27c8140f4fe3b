-- name: readShape
-- The existing and readable columns of these tables.
select t.relation, a.attname::text as column_name
from unnest(:tables::text[]) as t(relation)
join pg_attribute a on a.attrelid = to_regclass(quote_ident(t.relation)) and a.attnum > 0 and not a.attisdropped
where has_column_privilege(a.attrelid, a.attnum, 'select')
