-- Indexes, those behind constraints included.
select 'relation ' || c.relname as object, 4000 as rank, format('index %s%s%s', pg_get_indexdef(i.indexrelid),
  case when i.indisvalid then '' else '; not valid' end, case when i.indisreplident then '; replica identity' else '' end) as line
from pg_index i
join pg_class c on c.oid = i.indrelid
where c.relnamespace = to_regnamespace(quote_ident($1::text))
