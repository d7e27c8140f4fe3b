-- The relations that are not GCOS's own but on which a GCOS role holds a privilege: what an uninstall must revoke.
select distinct c.relname::text as relation
from pg_class c
cross join lateral aclexplode(c.relacl) as grants
join pg_roles grantee on grantee.oid = grants.grantee
where c.relnamespace = to_regnamespace(quote_ident($1::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  and grantee.rolname = any ($2::text[])
  and c.relowner <> grantee.oid
  and pg_get_userbyid(c.relowner) <> $3::text
order by relation
