-- name: readIndexes
-- The key columns of every valid index of those relations.
select
  c.relname::text as relation,
  coalesce((select array_agg(coalesce(a.attname::text, '(expression)') order by k.place)
    from unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum and k.attnum > 0
    where k.place <= i.indnkeyatts), '{}') as columns
from pg_index i
join pg_class c on c.oid = i.indrelid
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
  and c.relname = any (:relations::text[])
  and i.indisvalid
order by relation, columns
