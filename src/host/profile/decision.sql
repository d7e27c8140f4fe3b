-- name: readDecisionRows
-- The current decision about each collection; :collections null means all collections.
-- nullable: governance_role, coverage_status, coverage_scope_status, reason, review_owner, :collections
select c.collection_name::text as collection_name, c.governance_role::text as governance_role,
  c.coverage_status::text as coverage_status, c.coverage_scope_status::text as coverage_scope_status,
  c.coverage_exemption_reason::text as reason, c.coverage_review_owner::text as review_owner
from collection_registry c
where :collections::text[] is null or c.collection_name = any (:collections::text[])
order by c.collection_name::text collate "C"
