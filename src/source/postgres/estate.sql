-- use: ./fragments.sql

-- name: readSchemas
-- nullable: parent_class, parent_code, comment, parent_comment
select 'schema' as class, quote_ident(n.nspname) as code, format('2615:%s', n.oid) as identity, null::text as parent_class,
  null::text as parent_code, d.description as comment, null::text as parent_comment,
  jsonb_build_object('name', n.nspname, 'owner', pg_get_userbyid(n.nspowner), 'extension', x.extname,
    'public_privileges', array(
      select a.privilege_type from aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) as a where a.grantee = 0 order by 1))::text as attributes
from pg_namespace n
left join pg_description d on d.classoid = 'pg_namespace'::regclass and d.objoid = n.oid and d.objsubid = 0
left join pg_depend e on e.classid = 'pg_namespace'::regclass and e.objid = n.oid
  and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'
left join pg_extension x on x.oid = e.refobjid
where {{own_schema}}
order by n.oid

-- name: readRoles
-- The roles of the server, without those that PostgreSQL brings. `owned` counts in this database.
-- nullable: parent_class, parent_code, comment, parent_comment
with owned as (
  select c.relowner as oid, count(*) as relations
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and {{own_schema}}
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and c.relpersistence <> 't'
    and not exists (select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.objsubid = 0
      and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e')
  group by c.relowner
)
select 'role' as class, quote_ident(r.rolname) as code, format('1260:%s', r.oid) as identity, null::text as parent_class,
  null::text as parent_code, d.description as comment, null::text as parent_comment,
  jsonb_build_object('name', r.rolname, 'login', r.rolcanlogin, 'superuser', r.rolsuper, 'bypass_rls', r.rolbypassrls,
    'create_role', r.rolcreaterole, 'create_db', r.rolcreatedb, 'replication', r.rolreplication, 'inherit', r.rolinherit,
    'connection_limit', nullif(r.rolconnlimit, -1), 'valid_until', r.rolvaliduntil, 'bootstrap', r.oid = 10,
    'owned_relations', coalesce(o.relations, 0),
    'member_of', array(
      select pg_get_userbyid(m.roleid)::text from pg_auth_members m where m.member = r.oid group by m.roleid order by 1))::text as attributes
from pg_roles r
left join owned o on o.oid = r.oid
left join pg_shdescription d on d.classoid = 'pg_authid'::regclass and d.objoid = r.oid
where r.rolname !~ '^pg_'
order by r.oid

-- name: readExtensions
-- Objects of an extension are its own matter: the extension says how many it has of each kind.
-- nullable: parent_class, parent_code, comment, parent_comment
select 'extension' as class, quote_ident(x.extname) as code, format('3079:%s', x.oid) as identity, null::text as parent_class,
  null::text as parent_code, d.description as comment, null::text as parent_comment,
  jsonb_build_object('name', x.extname, 'owner', pg_get_userbyid(x.extowner), 'version', x.extversion, 'schema', n.nspname,
    'objects', coalesce(k.objects, '{}'))::text as attributes
from pg_extension x
join pg_namespace n on n.oid = x.extnamespace
left join lateral (
  select jsonb_object_agg(each.kind, each.objects) as objects
  from (
    select case e.classid when 'pg_class'::regclass then 'relation' when 'pg_proc'::regclass then 'function'
      when 'pg_type'::regclass then 'type' when 'pg_namespace'::regclass then 'schema' else 'other' end as kind, count(*) as objects
    from pg_depend e
    where e.refclassid = 'pg_extension'::regclass and e.refobjid = x.oid and e.deptype = 'e'
    group by 1
  ) each
) as k on true
left join pg_description d on d.classoid = 'pg_extension'::regclass and d.objoid = x.oid and d.objsubid = 0
order by x.oid

-- name: readPublications
-- nullable: parent_class, parent_code, comment, parent_comment
select 'publication' as class, quote_ident(p.pubname) as code, format('6104:%s', p.oid) as identity, null::text as parent_class,
  null::text as parent_code, d.description as comment, null::text as parent_comment,
  jsonb_build_object('name', p.pubname, 'owner', pg_get_userbyid(p.pubowner), 'all_tables', p.puballtables,
    'tables', (select count(*) from pg_publication_rel r where r.prpubid = p.oid),
    'schemas', (select count(*) from pg_publication_namespace s where s.pnpubid = p.oid),
    'operations', array_remove(array[case when p.pubinsert then 'insert' end, case when p.pubupdate then 'update' end,
      case when p.pubdelete then 'delete' end, case when p.pubtruncate then 'truncate' end], null))::text as attributes
from pg_publication p
left join pg_description d on d.classoid = 'pg_publication'::regclass and d.objoid = p.oid and d.objsubid = 0
order by p.oid

-- name: readSubscriptions
-- nullable: parent_class, parent_code, comment, parent_comment
select 'subscription' as class, quote_ident(s.subname) as code, format('6100:%s', s.oid) as identity, null::text as parent_class,
  null::text as parent_code, d.description as comment, null::text as parent_comment,
  jsonb_build_object('name', s.subname, 'owner', pg_get_userbyid(s.subowner), 'enabled', s.subenabled,
    'publications', s.subpublications)::text as attributes
from pg_subscription s
left join pg_description d on d.classoid = 'pg_subscription'::regclass and d.objoid = s.oid and d.objsubid = 0
where s.subdbid = (select b.oid from pg_database b where b.datname = current_database())
order by s.oid

-- name: mayReadConnections
-- Only some logins may read the connection of a subscription, which can hold a password.
select has_column_privilege('pg_subscription', 'subconninfo', 'select') as may

-- name: readConnectionSecrets
-- Whether the connection of each subscription holds a password; the connection itself is not read.
select quote_ident(s.subname) as code, s.subconninfo ~* '(^|[\s?&])password\s*=' or s.subconninfo ~ '^[a-z]+://[^/@]*:[^/@]+@' as secret
from pg_subscription s
where s.subdbid = (select b.oid from pg_database b where b.datname = current_database())
