-- Tables, views and sequences: kind, owner, persistence, row security; a view's definition.
select
  'relation ' || c.relname as object,
  0 as rank,
  format('%s; owner %s; persistence %s; row security %s%s%s',
    case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' when 'f' then 'foreign table' else c.relkind::text end,
    pg_get_userbyid(c.relowner), c.relpersistence,
    case when c.relforcerowsecurity then 'forced' when c.relrowsecurity then 'on' else 'off' end,
    coalesce('; options ' || array_to_string(c.reloptions, ','), ''),
    case when c.relkind in ('v', 'm') then '; as ' || regexp_replace(pg_get_viewdef(c.oid), '\s+', ' ', 'g') else '' end) as line
from pg_class c
where c.relnamespace = to_regnamespace(quote_ident($1::text)) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
