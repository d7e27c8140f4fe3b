-- Of the member registries the catalogue names: which exist here, what tells their members apart, and whether they have a
-- status. A member's code is a unique column `code`, else the only column of a textual primary key.
with registry as (
  select n.registry, c.oid, c.relname
  from unnest($2::text[]) as n(registry)
  left join pg_class c on c.relname = n.registry
    and c.relnamespace = to_regnamespace(quote_ident($1::text))
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
),
unique_column as (
  select r.oid, a.attname, i.indisprimary
  from registry r
  join pg_index i on i.indrelid = r.oid and i.indisunique and i.indisvalid and i.indnkeyatts = 1
    and i.indpred is null and i.indexprs is null
  join pg_attribute a on a.attrelid = r.oid and a.attnum = i.indkey[0]
  join pg_type t on t.oid = a.atttypid and t.typcategory = 'S'
  where a.attname = 'code' or i.indisprimary
)
select r.registry, r.oid is not null as present, coalesce(has_table_privilege(r.oid, 'select'), false) as readable,
  (select u.attname::text from unique_column u where u.oid = r.oid order by u.attname = 'code' desc, u.attname limit 1)
    as code_column,
  exists (
    select from pg_attribute a
    where a.attrelid = r.oid and a.attname = 'status' and a.attnum > 0 and not a.attisdropped) as has_status
from registry r
order by r.registry collate "C"
