-- Which columns of these tables are there and readable.
select t.relation, a.attname::text as column_name
from unnest($1::text[]) as t(relation)
join pg_attribute a on a.attrelid = to_regclass(quote_ident(t.relation)) and a.attnum > 0 and not a.attisdropped
where has_column_privilege(a.attrelid, a.attnum, 'select')
