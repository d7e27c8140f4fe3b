-- The rows there are, whatever their state, and how many of them have numbers up to $1: rows are superseded and retired, never
-- deleted. Group rows per inventory group; object rows per collection, which an object never leaves.
select 'group' as kind, g.scope, g.inventory_key as place, count(*) as rows,
  count(*) filter (where g.row_id <= $1::bigint) as rows_before, max(g.row_id) as last_row
from governance_candidate_state g
group by g.scope, g.inventory_key
union all
select 'object', o.scope, o.collection_name, count(*), count(*) filter (where o.row_id <= $1::bigint), max(o.row_id)
from governance_candidate_object o
group by o.scope, o.collection_name
