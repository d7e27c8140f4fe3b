-- use: ./births.sql

-- name: readSetAside
-- Births in the retry list, by id: a worker could not process them and retries them, or has given up.
-- nullable: species_code, status
with own as (
  select distinct c.id
  from gov_worker_retry r
  cross join lateral (select case when r.failed_ref ~ '^-?[0-9]{1,18}$' then r.failed_ref::bigint end as id) c
  where r.completed_at is null and r.failed_table = 'birth_registry' and c.id is not null
),
n as (
  select {{row}}
  from own o
  join birth_registry b on b.id = o.id
  {{row_hash}}
  where {{keyed}}
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}
order by n.id
