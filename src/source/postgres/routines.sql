-- use: ./fragments.sql

-- name: readFunctions
-- Functions, procedures and aggregates. The hash tells that a body has changed; the body itself stays where
-- it is.
-- nullable: parent_class, parent_code, comment, parent_comment
select 'function' as class, i.identity as code, format('1255:%s', p.oid) as identity, 'schema' as parent_class,
  quote_ident(n.nspname) as parent_code, d.description as comment, null::text as parent_comment,
  jsonb_build_object('name', p.proname, 'schema', n.nspname, 'owner', pg_get_userbyid(p.proowner),
    'owner_superuser', coalesce(o.rolsuper, false), 'language', l.lanname, 'returns', nullif(format_type(p.prorettype, null), '-'),
    'kind', case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' when 'w' then 'window' else 'function' end,
    'volatility', case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
    'security_definer', p.prosecdef, 'leakproof', p.proleakproof,
    'search_path', (select substr(c.setting, 13) from unnest(p.proconfig) as c(setting) where c.setting like 'search\_path=%'),
    'public_privileges', array(
      select x.privilege_type from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as x where x.grantee = 0 order by 1),
    'public_schema', exists (
      select from aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) as x where x.grantee = 0 and x.privilege_type = 'USAGE'),
    'body_hash', to_hex(hashtextextended(coalesce(p.probin, '') || p.prosrc, 0)))::text as attributes
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace and {{own_schema}}
join pg_language l on l.oid = p.prolang
cross join lateral pg_identify_object('pg_proc'::regclass, p.oid, 0) as i
left join pg_roles o on o.oid = p.proowner
left join pg_description d on d.classoid = 'pg_proc'::regclass and d.objoid = p.oid and d.objsubid = 0
left join pg_depend e on e.classid = 'pg_proc'::regclass and e.objid = p.oid
  and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'
where e.objid is null and i.identity is not null
order by p.oid

-- name: readTypes
-- Types that were created as such: not the row types of relations, and not the array and multirange types
-- that come with a type.
-- nullable: parent_class, parent_code, comment, parent_comment
select 'type' as class, i.identity as code, format('1247:%s', t.oid) as identity, 'schema' as parent_class,
  quote_ident(n.nspname) as parent_code, d.description as comment, null::text as parent_comment,
  jsonb_build_object('name', t.typname, 'schema', n.nspname, 'owner', pg_get_userbyid(t.typowner),
    'kind', case t.typtype when 'e' then 'enum' when 'd' then 'domain' when 'c' then 'composite' when 'r' then 'range' else 'base' end,
    'base_type', case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) end,
    'labels', case when t.typtype = 'e' then
      array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) end)::text as attributes
from pg_type t
join pg_namespace n on n.oid = t.typnamespace and {{own_schema}}
cross join lateral pg_identify_object('pg_type'::regclass, t.oid, 0) as i
left join pg_class c on c.oid = t.typrelid
left join pg_type array_of on array_of.typarray = t.oid
left join pg_description d on d.classoid = 'pg_type'::regclass and d.objoid = t.oid and d.objsubid = 0
left join pg_depend e on e.classid = 'pg_type'::regclass and e.objid = t.oid
  and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'
where t.typtype in ('e', 'd', 'c', 'r', 'b') and t.typisdefined and (c.oid is null or c.relkind = 'c') and array_of.oid is null
  and e.objid is null and i.identity is not null
order by t.oid
