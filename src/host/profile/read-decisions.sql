-- What was decided about each collection, as it stands; $1 null means all of them.
select c.collection_name::text as collection_name, c.governance_role::text as governance_role,
  c.coverage_status::text as coverage_status, c.coverage_scope_status::text as coverage_scope_status,
  c.coverage_exemption_reason::text as reason, c.coverage_review_owner::text as review_owner
from collection_registry c
where $1::text[] is null or c.collection_name = any ($1::text[])
order by c.collection_name::text collate "C"
