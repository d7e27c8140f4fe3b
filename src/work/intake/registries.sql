-- name: findReferring
-- Members and ownership subjects that refer to one of the approvals :approvals.
select w.source, w.row_key, f.facts
from gov_intake_registry w
cross join lateral jsonb_array_elements(w.facts) as f(facts)
where (starts_with(w.source, 'member:') or w.source = 'governance_object_ownership') and f.facts ->> 'approval_ref' = any (:approvals::text[])

-- name: findExecuted
-- Groups with units that have their authority from one of the tools :tools, according to their last
-- evaluation.
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
where u.tool = any (:tools::text[])
