-- name: readAcl
-- The privileges granted to these roles by name: on relations of the schema and, with relation '', on the
-- schema itself.
select c.relname::text as relation, r.rolname::text as grantee, lower(x.privilege_type) as privilege
from pg_class c
cross join lateral aclexplode(c.relacl) as x
join pg_roles r on r.oid = x.grantee
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and r.rolname = any (:roles::text[])
union
select '', r.rolname::text, lower(x.privilege_type)
from pg_namespace n
cross join lateral aclexplode(n.nspacl) as x
join pg_roles r on r.oid = x.grantee
where n.nspname = :schema::text and r.rolname = any (:roles::text[])
order by relation, grantee, privilege

-- name: readGrants
-- The privileges that init and upgrade granted to the GCOS roles, for relations that still exist (relation
-- '': the schema).
select g.relation, g.grantee, g.privilege
from gcos_grant g
where g.relation = '' or to_regclass(format('%I.%I', :schema::text, g.relation)) is not null
order by g.relation, g.privilege, g.grantee
