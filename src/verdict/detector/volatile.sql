-- name: readVolatile
-- Those of the names :names that are functions which may do something, in any schema: what the search path
-- finds may change. Some that run a text they are given call themselves stable.
select distinct p.proname::text as name
from pg_proc p
where p.proname = any (:names::text[]) and p.prokind in ('f', 'p', 'w')
  and (p.provolatile = 'v' or p.proname ~ '^(crosstab|connectby|xpath_table|dblink|query_to_xml|cursor_to_xml|ts_stat|ts_rewrite)')
