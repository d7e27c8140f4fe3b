-- use: ../snapshot/fingerprint/row.sql

-- fragment: row
b.id::bigint as id, b.collection_name::text as collection_name, b.entity_code::text as code, b.species_code::text as species_code,
  b.status::text as status, b.born_at, age(b.xmin) as row_age, r.h1, r.h2

-- fragment: since_horizon
-- Whether row `b` was written at or after :horizon, as seen by a snapshot that ends at :upper. age()
-- counts from the next transaction id, so it tolerates wraparound. A row frozen long ago keeps an old
-- transaction id that may recur and then reads as new: that costs a recomputation and loses nothing.
(age(b.xmin) <= (select age(:horizon::xid8::xid)) and age(b.xmin) >= (select age(:upper::xid8::xid)))

-- fragment: in_pages
-- Whether row `b` is in the pages from :first to :last.
b.ctid >= ('(' || :first::bigint || ',0)')::tid and b.ctid < ('(' || :last::bigint + 1 || ',0)')::tid

-- fragment: own_birth
-- Whether birth `b` belongs to a finding of GCOS, on hosts whose issues have births.
b.collection_name = 'system_issues' and starts_with(b.entity_code::text, 'GCOS-')

-- fragment: near_births
-- The births from :first to :last, above the highest id seen, and those in the gaps :gap_first to
-- :gap_last. Bounds as parameters, and a limit :most above the possible number of rows, keep the planner
-- on the primary key.
select b.id, b.collection_name, b.entity_code, b.species_code, b.status, b.governance_role, b.certified, b.born_at,
  age(b.xmin) as row_age
from birth_registry b
where b.id >= :first::bigint and b.id <= :last::bigint and {{keyed}}
union all
select a.id, a.collection_name, a.entity_code, a.species_code, a.status, a.governance_role, a.certified, a.born_at, a.row_age
from unnest(:gap_first::bigint[], :gap_last::bigint[]) as g(first_id, last_id)
cross join lateral (
  select b.id, b.collection_name, b.entity_code, b.species_code, b.status, b.governance_role, b.certified, b.born_at,
    age(b.xmin) as row_age
  from birth_registry b
  where b.id >= g.first_id and b.id <= g.last_id and {{keyed}}
  order by b.id
  limit :most::bigint
) as a
