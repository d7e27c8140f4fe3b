-- Authorities that own something and that no registry of governing bodies knows, with what they declare for themselves: their
-- subjects, approvals, reviews, and statuses that nobody else uses.
with stranger as materialized (
  select o.owner_gov_code::text as authority, o.object_type::text as object_type, o.object_ref::text as object_ref, o.approval_ref::text as approval_ref
  from governance_object_ownership o
  where o.owner_kind = 'accountable' and o.lifecycle_status = 'active'
    and not exists (select from governance_registry g where g.code::text = o.owner_gov_code::text)
),
lifecycle as (
  select i.lifecycle_status, array_agg(distinct i.source_registry) as registries
  from governance_inventory i
  where i.lifecycle_status is not null
  group by i.lifecycle_status
)
select s.authority, array_agg(distinct s.object_type || '/' || s.object_ref order by s.object_type || '/' || s.object_ref) as subjects,
  count(distinct s.approval_ref) as approvals,
  array(
    select c.collection_name::text from collection_registry c where c.coverage_review_owner::text = s.authority order by 1) as reviewed,
  array(
    select l.lifecycle_status from lifecycle l
    where l.registries <@ array_agg(distinct s.object_ref) order by l.lifecycle_status) as statuses
from stranger s
group by s.authority
order by s.authority
