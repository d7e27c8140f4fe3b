-- Enumerations, domains and composite types that are not a table's row type.
select
  'type ' || t.typname as object,
  0 as rank,
  format('%s; owner %s; %s', t.typtype, pg_get_userbyid(t.typowner),
    case t.typtype
      when 'e' then (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
      when 'd' then concat_ws(' ', format_type(t.typbasetype, t.typtypmod), case when t.typnotnull then 'not null' end, t.typdefault,
        (select string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname) from pg_constraint k where k.contypid = t.oid and k.contype <> 'n'))
      when 'c' then (select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)
      else '' end) as line
from pg_type t
left join pg_class c on c.oid = t.typrelid
where t.typnamespace = to_regnamespace(quote_ident($1::text))
  and t.typtype in ('e', 'd', 'c', 'r') and (c.oid is null or c.relkind = 'c')
