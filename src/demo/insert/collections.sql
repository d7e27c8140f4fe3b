-- The 168 registered collections with their coverage decisions.
insert into collection_registry (
  code, collection_name, governance_role, coverage_status, coverage_scope_status, coverage_exemption_reason,
  coverage_review_owner, coverage_decided_at, coverage_decided_by)
select
  'COL-' || lpad(ordinal::text, 3, '0'),
  collection_name, role, coverage_status, scope_status, reason,
  case
    -- The laboratory reviews itself, which is one of the two signs of an island.
    when collection_name like 'lab\_%' then 'LAB-COUNCIL'
    when coverage_status = 'BIRTH_DEFERRED_NEEDS_REVIEW' and scope_status <> 'ORPHAN_REGISTRY' then 'GOV-COUNCIL'
    when coverage_status like 'BIRTH\_EXEMPT%' then 'GOV-SIV'
  end,
  case
    when scope_status <> 'ORPHAN_REGISTRY' then timestamptz '2026-02-20 09:00:00+00' + ordinal * interval '1 hour'
  end,
  case when scope_status <> 'ORPHAN_REGISTRY' then 'GOV-COUNCIL' end
from pg_temp.estate_collection;
