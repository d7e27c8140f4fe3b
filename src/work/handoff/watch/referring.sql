-- Members, and subjects of ownership, that refer to any of the approvals $1.
select w.source, w.row_key, f.facts
from gov_handoff_watch w
cross join lateral jsonb_array_elements(w.facts) as f(facts)
where (starts_with(w.source, 'member:') or w.source = 'governance_object_ownership') and f.facts ->> 'approval_ref' = any ($1::text[])
