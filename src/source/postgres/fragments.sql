-- Fragments that the statements of a source share. INVARIANT: the search path of the transaction is
-- pg_catalog alone, so that nothing of the estate stands in for a function or an operator.

-- fragment: own_schema
-- Schema `n` is not one of the server's own.
n.nspname !~ '^pg_' and n.nspname <> 'information_schema'

-- fragment: relation
-- Relations that are objects of the estate, each with what its columns need, too.
relation as materialized (
  select c.oid, c.relname, c.relkind, c.relispartition, c.relowner, c.relrowsecurity, c.relforcerowsecurity, c.relpersistence,
    c.reloptions, c.reltuples, c.relpages, n.nspname,
    case when c.relispartition then 'partition' when c.relkind in ('r', 'p') then 'table' when c.relkind = 'v' then 'view'
      when c.relkind = 'm' then 'materialized_view' else 'foreign_table' end as class,
    i.identity as code, d.description as comment,
    array(select x.privilege_type from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) as x where x.grantee = 0 order by 1)
      as public_privileges,
    exists (select from aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) as x where x.grantee = 0 and x.privilege_type = 'USAGE')
      as public_schema
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  cross join lateral pg_identify_object('pg_class'::regclass, c.oid, 0) as i
  left join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = c.oid and d.objsubid = 0
  left join pg_depend e on e.classid = 'pg_class'::regclass and e.objid = c.oid and e.objsubid = 0
    and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relpersistence <> 't' and {{own_schema}}
    and e.objid is null and i.identity is not null
)
