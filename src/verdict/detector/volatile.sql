-- Those of the names $1 that are functions which may do something, in any schema: what the search path finds may change.
select distinct p.proname::text as name
from pg_proc p
where p.proname = any ($1::text[]) and p.provolatile = 'v' and p.prokind in ('f', 'p', 'w')
