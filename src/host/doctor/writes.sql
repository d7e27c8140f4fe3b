-- name: readTriggers
-- The host's triggers that fire when GCOS inserts: they can change or refuse its rows.
select
  c.relname::text as relation,
  g.tgname::text as trigger_name,
  case when g.tgtype & 2 <> 0 then 'before' when g.tgtype & 64 <> 0 then 'instead of' else 'after' end as timing,
  p.proname::text as function_name
from pg_trigger g
join pg_class c on c.oid = g.tgrelid
join pg_proc p on p.oid = g.tgfoid
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
  and c.relname = any (:relations::text[])
  and not g.tgisinternal and g.tgenabled <> 'D' and g.tgtype & 4 <> 0
order by relation, trigger_name
