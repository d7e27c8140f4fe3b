-- Groups with units that get their authority from one of the tools $1, as was found when they were last evaluated.
select distinct u.tool, u.inventory_key
from (
  select c.coverage_evidence #>> '{links,dot_authority,tool}' as tool, c.inventory_key
  from governance_candidate_state c
  where c.row_state = 'active' and c.coverage_required
  union all
  select o.coverage_evidence #>> '{links,dot_authority,tool}', o.inventory_key
  from governance_candidate_object o
  where o.row_state = 'active' and o.coverage_required
) as u
where u.tool = any ($1::text[])
