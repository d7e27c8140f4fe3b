-- Delegations that are over at $1 and still said to be active.
select o.object_type::text as object_type, o.object_ref::text as object_ref, o.scope::text as scope, o.owner_gov_code::text as owner,
  o.effective_to::timestamptz as effective_to
from governance_object_ownership o
where o.owner_kind = 'delegated' and o.lifecycle_status = 'active' and o.effective_to <= $1::timestamptz
order by 1, 2, 3, 4
