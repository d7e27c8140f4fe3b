-- Privileges as they are in effect: where nothing was ever granted, the built-in defaults are spelled out, so that
-- granting and revoking leaves no trace in this text.
with acl (object, rank, privileges) as (
  select 'schema ' || n.nspname, 100, coalesce(n.nspacl, acldefault('n', n.nspowner))
  from pg_namespace n where n.nspname = $1::text
  union all
  select 'relation ' || c.relname, 9000, coalesce(c.relacl, acldefault(case when c.relkind = 'S' then 's'::"char" else 'r'::"char" end, c.relowner))
  from pg_class c
  where c.relnamespace = to_regnamespace(quote_ident($1::text)) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  union all
  select format('relation %s', c.relname), 9000 + a.attnum::integer, a.attacl
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attacl is not null and not a.attisdropped
  where c.relnamespace = to_regnamespace(quote_ident($1::text)) and a.attacl <> '{}'
  union all
  select format('function %I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)), 100, coalesce(p.proacl, acldefault('f', p.proowner))
  from pg_proc p where p.pronamespace = to_regnamespace(quote_ident($1::text))
  union all
  select 'type ' || t.typname, 100, coalesce(t.typacl, acldefault('T', t.typowner))
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = to_regnamespace(quote_ident($1::text))
    and t.typtype in ('e', 'd', 'c', 'r') and (c.oid is null or c.relkind = 'c')
  union all
  select format('default privileges of %s on %s', pg_get_userbyid(d.defaclrole), d.defaclobjtype), 100, d.defaclacl
  from pg_default_acl d where d.defaclnamespace = to_regnamespace(quote_ident($1::text)) or d.defaclnamespace = 0
)
select
  acl.object,
  acl.rank,
  format('privilege %s: %s%s%s', coalesce(r.rolname, 'PUBLIC'),
    string_agg(x.privilege_type, ', ' order by x.privilege_type),
    case when x.is_grantable then ' with grant option' else '' end,
    case when acl.rank > 9000 then format(' (column %s)', acl.rank - 9000) else '' end) as line
from acl
cross join lateral aclexplode(acl.privileges) as x
left join pg_roles r on r.oid = x.grantee
group by acl.object, acl.rank, r.rolname, x.is_grantable
