-- name: list
-- The status of exceptions at :at; :status null: all. :after is the last code of the previous page. With
-- :with_units, the number of units each covers, and how many of them need it according to the last
-- coverage evaluation.
-- nullable: collection_name, entity_code, inventory_key, object_class, link, approval_ref, :status, :after
-- nullable: :code, :scope
with page as materialized (
  select s.exception_code, s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, s.scope, s.link, s.reason,
    s.requested_by, s.granted_at, s.expires_at, s.approval_ref, s.status
  from governance_exception_status(:at::timestamptz) s
  where (:status::text is null or s.status = :status::text)
    and (:after::text is null or s.exception_code > :after::text collate "C")
    and (:code::text is null or s.exception_code = :code::text)
    and (:scope::text is null or s.scope = :scope::text)
  order by s.exception_code collate "C"
  limit :limit::bigint
),
unit as (
  select u.exception_code, count(*) as units, count(*) filter (where u.needed) as needing
  from gcos_exception_units(array(select p.exception_code from page p)) u
  where :with_units::boolean and u.counts
  group by u.exception_code
)
select p.exception_code, p.subject_kind, p.collection_name, p.entity_code, p.inventory_key, p.object_class, p.scope, p.link, p.reason,
  p.requested_by, p.granted_at, p.expires_at, p.approval_ref, p.status, coalesce(u.units, 0) as units, coalesce(u.needing, 0) as needing
from page p
left join unit u on u.exception_code = p.exception_code
order by p.exception_code collate "C"

-- name: listScopes
select distinct e.scope collate "C" as scope from governance_exception e order by 1

-- name: readDetail
-- The details of one exception: who revoked it and why, and the fingerprints of its subject at the grant
-- and now.
-- nullable: revoked_at, revoked_by, revoke_reason, fingerprint_now
select e.revoked_at, e.revoked_by, e.revoke_reason, e.fingerprint as fingerprint_at_grant,
  gcos_exception_fingerprint(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link) as fingerprint_now
from governance_exception e
where e.exception_code = :code::text
