-- Indexes, those behind constraints included.
select 'relation ' || c.relname as object, 4000 as rank, 'index ' || pg_get_indexdef(i.indexrelid) as line
from pg_index i
join pg_class c on c.oid = i.indrelid
where c.relnamespace = to_regnamespace(quote_ident($1::text))
