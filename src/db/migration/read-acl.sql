-- What these roles have been granted by name: on relations of the schema, and (relation '') on the schema itself.
select c.relname::text as relation, r.rolname::text as grantee, lower(x.privilege_type) as privilege
from pg_class c
cross join lateral aclexplode(c.relacl) as x
join pg_roles r on r.oid = x.grantee
where c.relnamespace = to_regnamespace(quote_ident($1::text)) and r.rolname = any ($2::text[])
union
select '', r.rolname::text, lower(x.privilege_type)
from pg_namespace n
cross join lateral aclexplode(n.nspacl) as x
join pg_roles r on r.oid = x.grantee
where n.nspname = $1::text and r.rolname = any ($2::text[])
order by relation, grantee, privilege
