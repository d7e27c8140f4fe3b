select p.unit_no, p.distance, o.owner_gov_code::text as owner,
    (o.effective_from is null or o.effective_from <= $7::timestamptz) and (o.effective_to is null or o.effective_to > $7::timestamptz) as live,
    -- When what this row says changes by itself: it begins, or it ends.
    case when o.effective_from > $7::timestamptz then o.effective_from when o.effective_to > $7::timestamptz then o.effective_to end as next_change,
    o.approval_ref::text as approval_ref, o.audit_ref::text as audit_ref, o.rollback_ref::text as rollback_ref,
    o.source_law_ref::text as law_ref, o.source_design_ref::text as design_ref
  from step p
  join governance_object_ownership o on o.object_type = p.object_type and o.object_ref = p.object_ref and o.scope = p.scope
  where o.owner_kind = 'accountable' and o.lifecycle_status = 'active' and (o.is_inherited_anchor or not p.through_anchor)
