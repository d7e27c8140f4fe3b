-- What one exception says beyond where it stands: who took it back and why, and what its subject was then and is now.
select e.revoked_at, e.revoked_by, e.revoke_reason, e.fingerprint as fingerprint_at_grant,
  gcos_exception_fingerprint(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link) as fingerprint_now
from governance_exception e
where e.exception_code = $1::text
