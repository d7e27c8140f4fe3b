-- name: readHostCode
-- nullable: function_name
-- What of the host runs when GCOS writes into these tables: triggers, rules, policies, and functions outside
-- pg_catalog in constraints, defaults, generated columns and indexes. Dependencies on built-in functions are
-- not recorded. Triggers that a foreign key creates are the server's own.
with relation as (
  select c.oid, c.relname::text as name, c.relowner from pg_class c
  where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relname = any (:relations::text[])
),
piece as (
  select r.oid, 'trigger' as kind, t.tgname::text as name, t.tgfoid as function
  from relation r join pg_trigger t on t.tgrelid = r.oid
  where not t.tgisinternal and t.tgenabled <> 'D'
  union all
  select r.oid, 'rule', w.rulename::text, null from relation r join pg_rewrite w on w.ev_class = r.oid where w.rulename <> '_RETURN'
  union all
  select r.oid, 'policy', p.polname::text, d.refobjid
  from relation r
  join pg_policy p on p.polrelid = r.oid
  left join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_proc'::regclass
  union all
  select r.oid, 'constraint', k.conname::text, d.refobjid
  from relation r
  join pg_constraint k on k.conrelid = r.oid and k.contype = 'c'
  join pg_depend d on d.classid = 'pg_constraint'::regclass and d.objid = k.oid and d.refclassid = 'pg_proc'::regclass
  union all
  select r.oid, case a.attgenerated when '' then 'default of column' else 'generated column' end, a.attname::text, d.refobjid
  from relation r
  join pg_attrdef e on e.adrelid = r.oid
  join pg_attribute a on a.attrelid = r.oid and a.attnum = e.adnum
  join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = e.oid and d.refclassid = 'pg_proc'::regclass
  union all
  select r.oid, 'index', i.indexrelid::regclass::text, d.refobjid
  from relation r
  join pg_index i on i.indrelid = r.oid
  join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refclassid = 'pg_proc'::regclass
)
select r.name as relation, p.kind, p.name, p.function::regprocedure::text as function_name,
  pg_get_userbyid(coalesce(f.proowner, r.relowner))::text as owner
from piece p
join relation r on r.oid = p.oid
left join pg_proc f on f.oid = p.function
order by 1, 2, 3, 4

-- name: readCreators
-- The roles that may create in the schema, beside its owner, superusers and the owners of these tables;
-- PUBLIC is ''.
select coalesce(r.rolname::text, '') as role
from pg_namespace n
cross join lateral aclexplode(n.nspacl) a
left join pg_roles r on r.oid = a.grantee
where n.nspname = :schema::text and a.privilege_type = 'CREATE' and a.grantee <> n.nspowner and coalesce(r.rolsuper, false) is false
  and not exists (
    select from pg_class c where c.relnamespace = n.oid and c.relname = any (:relations::text[]) and c.relowner = a.grantee)
order by 1

-- name: readStandIns
-- Functions and operators of the schema with the name of a built-in one, outside extensions: statements may
-- choose them instead, where their argument types match better.
select s.name, s.owner
from (
  select p.oid, 'pg_proc'::regclass as class, p.oid::regprocedure::text as name, pg_get_userbyid(p.proowner)::text as owner
  from pg_proc p
  where p.pronamespace = to_regnamespace(quote_ident(:schema::text))
    and exists (select from pg_proc b where b.pronamespace = 'pg_catalog'::regnamespace and b.proname = p.proname)
  union all
  select o.oid, 'pg_operator'::regclass, o.oid::regoperator::text, pg_get_userbyid(o.oprowner)::text
  from pg_operator o
  where o.oprnamespace = to_regnamespace(quote_ident(:schema::text))
    and exists (select from pg_operator b where b.oprnamespace = 'pg_catalog'::regnamespace and b.oprname = o.oprname)
) s
where not exists (select from pg_depend d where d.classid = s.class and d.objid = s.oid and d.deptype = 'e')
order by 1

-- name: readViews
-- Views and foreign tables that stand in for tables of the host: their code runs whenever GCOS reads them.
select c.relname::text as relation, pg_get_userbyid(c.relowner)::text as owner
from pg_class c
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relname = any (:relations::text[]) and c.relkind in ('v', 'm', 'f')
order by 1

-- name: readTrustSchema
-- Who owns the schema of what carries trust, and who else may create in it.
select pg_get_userbyid(n.nspowner)::text as owner,
  coalesce((select array_agg(coalesce(r.rolname::text, 'PUBLIC') order by 1) from aclexplode(n.nspacl) a
    left join pg_roles r on r.oid = a.grantee
    where a.privilege_type = 'CREATE' and a.grantee <> n.nspowner), '{}') as creators,
  coalesce((select array_agg(c.relname::text order by 1) from pg_class c
    where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and c.relowner <> n.nspowner), '{}') as foreign_relations,
  coalesce((select array_agg(c.relname || ': ' || lower(a.privilege_type) || ' to ' || coalesce(r.rolname::text, 'PUBLIC') order by 1)
    from pg_class c
    cross join lateral aclexplode(c.relacl) a
    left join pg_roles r on r.oid = a.grantee
    where c.relnamespace = n.oid and a.grantee <> c.relowner and a.privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')
      and not coalesce(r.rolname = any (:roles::text[]), false)), '{}') as foreign_writers
from pg_namespace n
where n.nspname = :trust_schema::text

-- name: readOwnerRoles
-- The owner roles: whether they can log in, and their members. `acts`: the member can use the role now;
-- otherwise it can only make itself a member (ADMIN OPTION), which the role that created it keeps from
-- PostgreSQL 16 on.
select r.rolname::text as role, r.rolcanlogin as can_log_in, r.rolsuper or r.rolcreaterole or r.rolbypassrls as is_powerful,
  coalesce(array(select distinct u.rolname::text from pg_auth_members m join pg_roles u on u.oid = m.member
    where m.roleid = r.oid and not u.rolsuper and pg_has_role(u.oid, r.oid, 'member')
      and (current_setting('server_version_num')::integer < 160000 or coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
        or coalesce((to_jsonb(m) ->> 'inherit_option')::boolean, true))
    order by 1), '{}') as members,
  coalesce(array(select distinct u.rolname::text from pg_auth_members m join pg_roles u on u.oid = m.member
    where m.roleid = r.oid and not u.rolsuper and m.admin_option order by 1), '{}') as administrators
from pg_roles r
where r.rolname = any (:owners::text[])
order by 1

-- name: readRoleCreators
-- Before PostgreSQL 16, roles with CREATEROLE, which may make themselves members of any role that is no
-- superuser.
select r.rolname::text as role from pg_roles r
where r.rolcreaterole and not r.rolsuper and current_setting('server_version_num')::integer < 160000
order by 1

-- name: readFunctions
-- The functions of the schema of what carries trust, as they are now.
select p.proname::text as name, p.oid::regprocedure::text as signature, pg_get_userbyid(p.proowner)::text as owner, p.prosrc as body,
  p.prosecdef as is_definer, coalesce('search_path=pg_catalog, pg_temp' = any (p.proconfig), false) as is_pinned,
  coalesce((select array_agg(coalesce(r.rolname::text, 'PUBLIC') order by 1) from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    left join pg_roles r on r.oid = a.grantee
    where a.grantee <> p.proowner and not coalesce(r.rolname = any (:roles::text[]), false)), '{}') as strangers
from pg_proc p
where p.pronamespace = to_regnamespace(quote_ident(:trust_schema::text))
order by 2

-- name: readCallers
-- Views, rules, constraints, defaults and policies outside GCOS that call its functions.
select distinct pg_describe_object(d.classid, d.objid, d.objsubid) as caller, p.proname::text as function_name
from pg_depend d
join pg_proc p on p.oid = d.refobjid and p.pronamespace = to_regnamespace(quote_ident(:trust_schema::text))
left join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
left join pg_class c on c.oid = coalesce(w.ev_class, case d.classid
  when 'pg_constraint'::regclass then (select k.conrelid from pg_constraint k where k.oid = d.objid)
  when 'pg_attrdef'::regclass then (select e.adrelid from pg_attrdef e where e.oid = d.objid)
  when 'pg_policy'::regclass then (select y.polrelid from pg_policy y where y.oid = d.objid)
  when 'pg_trigger'::regclass then (select t.tgrelid from pg_trigger t where t.oid = d.objid)
  when 'pg_class'::regclass then d.objid end)
left join pg_proc f on d.classid = 'pg_proc'::regclass and f.oid = d.objid
where d.refclassid = 'pg_proc'::regclass and d.deptype = 'n'
  and pg_get_userbyid(coalesce(c.relowner, f.proowner)) <> all (:owners::text[])
order by 1, 2
