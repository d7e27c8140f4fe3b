-- Which of these tables are there and can be read.
select t.name
from unnest($1::text[]) as t(name)
where to_regclass(quote_ident(t.name)) is not null and has_table_privilege(to_regclass(quote_ident(t.name)), 'select')
