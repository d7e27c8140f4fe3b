-- The columns of member registries that count for governance: the status, references, and the tool that executes a member.
select c.relname::text as registry, array_agg(a.attname::text order by a.attname) as columns
from unnest($1::text[]) as r(name)
join pg_class c on c.oid = to_regclass(quote_ident(r.name))
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where a.attname in ('status', 'active', 'enabled') or a.attname like '%\_ref' or a.attname like '%\_dot'
group by c.relname
