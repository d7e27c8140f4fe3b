-- Triggers that someone made, with whether they fire; row security policies; rewrite rules other than a view's own.
select 'relation ' || c.relname as object, 5000 as rank, format('trigger %s; enabled %s', pg_get_triggerdef(g.oid), g.tgenabled) as line
from pg_trigger g
join pg_class c on c.oid = g.tgrelid
where c.relnamespace = to_regnamespace(quote_ident($1::text)) and not g.tgisinternal
union all
select 'relation ' || p.tablename, 5100,
  format('policy %I %s for %s to %s using (%s) check (%s)', p.policyname, p.permissive, p.cmd, array_to_string(p.roles, ','), p.qual, p.with_check)
from pg_policies p
where p.schemaname = $1::text
union all
select 'relation ' || r.tablename, 5200, 'rule ' || r.definition
from pg_rules r
where r.schemaname = $1::text
