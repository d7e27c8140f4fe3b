-- name: readChecks
-- The CHECK constraints on single columns, including those of the column's domains. Each expression refers to
-- the column by its name. The trial write covers constraints over several columns.
with recursive wanted (relation, column_name) as (
  select t.relation, t.column_name from unnest(:relations::text[], :columns::text[]) as t(relation, column_name)
), columns (relid, attnum, relation, column_name, type_oid) as (
  select c.oid, a.attnum, c.relname::text, a.attname::text, a.atttypid
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join wanted w on w.relation = c.relname::text and w.column_name = a.attname::text
  where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
), domains (relation, column_name, type_oid) as (
  select relation, column_name, type_oid from columns
  union all
  select d.relation, d.column_name, t.typbasetype from domains d join pg_type t on t.oid = d.type_oid and t.typtype = 'd'
)
select
  c.relation,
  c.column_name,
  coalesce((select array_agg(x.expression order by x.expression) from (
    select pg_get_expr(k.conbin, k.conrelid) as expression
    from pg_constraint k
    where k.conrelid = c.relid and k.contype = 'c' and k.conkey = array[c.attnum]
    union all
    select regexp_replace(pg_get_expr(k.conbin, 0), '\mVALUE\M', quote_ident(c.column_name), 'g')
    from domains d
    join pg_constraint k on k.contypid = d.type_oid and k.contype = 'c'
    where d.relation = c.relation and d.column_name = c.column_name
  ) as x), '{}') as expressions
from columns c
order by relation, column_name
