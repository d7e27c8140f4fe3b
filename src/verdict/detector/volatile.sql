-- name: readVolatile
-- Those of the names :names that are functions with side effects. All schemas count, because the search
-- path may change. The pattern lists functions that execute a text argument as SQL but are declared
-- stable.
select distinct p.proname::text as name
from pg_proc p
where p.proname = any (:names::text[]) and p.prokind in ('f', 'p', 'w')
  and (p.provolatile = 'v' or p.proname ~ '^(crosstab|connectby|xpath_table|dblink|query_to_xml|cursor_to_xml|ts_stat|ts_rewrite)')
