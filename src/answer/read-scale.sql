-- How much there is to account for, from the statistics: status must answer at once at any size.
select
  greatest(c.reltuples, 0)::int8 as estimated_births,
  c.reltuples < 0 as never_analyzed
from pg_class c
where c.oid = to_regclass(format('%I.birth_registry', $1::text))
