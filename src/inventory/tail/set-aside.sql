-- use: ./births.sql

-- name: readSetAside
-- Births in the retry list, by id: a worker could not process them and retries them, or has given up.
-- nullable: species_code, status
with own as (
  select distinct c.id
  from event_pending e
  cross join lateral (
    select case when e.entity_ref::text ~ '^-?[0-9]{1,18}$' then e.entity_ref::text::bigint end as id
  ) c
  where e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.processed_at is null
    and e.entity_table = 'birth_registry' and c.id is not null
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
