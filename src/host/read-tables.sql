-- The relations of the contract that exist here, and what the connected role may do with them.
select
  c.relname::text as relation,
  c.relkind::text as kind,
  greatest(c.reltuples, 0)::int8 as estimated_rows,
  row_security_active(c.oid) as row_security_applies,
  has_table_privilege(c.oid, 'select') as may_select,
  has_table_privilege(c.oid, 'insert') as may_insert,
  has_table_privilege(c.oid, 'update') as may_update,
  pg_get_userbyid(c.relowner)::text as owner
from pg_class c
where c.relnamespace = to_regnamespace(quote_ident($1::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relname = any ($2::text[])
order by relation
