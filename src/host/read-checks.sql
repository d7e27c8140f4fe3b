-- What the host allows in single columns: CHECK constraints of the column or of its domain, and labels of an enumeration.
-- `expression` is over a column of that name; constraints over several columns are left to the trial write.
select
  c.relname::text as relation,
  a.attname::text as column_name,
  format_type(a.atttypid, a.atttypmod) as type_name,
  coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid), '{}') as labels,
  coalesce((select array_agg(x.expression order by x.expression) from (
    select pg_get_expr(k.conbin, k.conrelid) as expression
    from pg_constraint k
    where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
    union all
    select regexp_replace(pg_get_expr(k.conbin, 0), '\mVALUE\M', quote_ident(a.attname), 'g')
    from pg_constraint k
    where k.contypid = a.atttypid and k.contype = 'c'
  ) as x), '{}') as expressions
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = to_regnamespace(quote_ident($1::text))
  and (c.relname::text, a.attname::text) in (select t.relation, t.column_name from unnest($2::text[], $3::text[]) as t(relation, column_name))
order by relation, column_name
