-- The rows with numbers up to $1 (null: all), whatever their state: rows are superseded and retired, never deleted. Group
-- rows per inventory group; object rows per collection, which an object never leaves.
select 'group' as kind, g.scope, g.inventory_key as place, count(*) as rows, max(g.row_id) as last_row
from governance_candidate_state g
where $1::bigint is null or g.row_id <= $1::bigint
group by g.scope, g.inventory_key
union all
select 'object', o.scope, o.collection_name, count(*), max(o.row_id)
from governance_candidate_object o
where $1::bigint is null or o.row_id <= $1::bigint
group by o.scope, o.collection_name
