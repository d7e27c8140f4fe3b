-- Those of the inventory groups $1 with a relevant row that nobody has evaluated since it became what it is.
select distinct u.inventory_key
from (
  select c.inventory_key
  from governance_candidate_state c
  where c.inventory_key = any ($1::text[]) and c.row_state = 'active' and c.coverage_required
    and coalesce(c.coverage_outcome, 'not_evaluated') = 'not_evaluated'
  union all
  select o.inventory_key
  from governance_candidate_object o
  where o.inventory_key = any ($1::text[]) and o.row_state = 'active' and o.coverage_required
    and coalesce(o.coverage_outcome, 'not_evaluated') = 'not_evaluated'
) as u
