-- name: readTerms
-- The terms to request; null when nothing of the subject is relevant in the scope.
-- nullable: terms, :collection, :code, :inventory_key, :object_class, :link
select case when f.fingerprint is not null then
    gcos_exception_terms(:kind::text, :collection::text, :code::text, :inventory_key::text, :object_class::text, :scope::text, :link::text, :expires_at::timestamptz, f.fingerprint)
  end as terms
from (
  select gcos_exception_fingerprint(:kind::text, :collection::text, :code::text, :inventory_key::text, :object_class::text, :scope::text, :link::text) as fingerprint
) as f

-- name: grantRow
-- nullable: exception_code, person_ref, :collection, :code, :inventory_key, :object_class, :link
-- nullable: :approval_ref, :as
select g.outcome, g.exception_code, g.person_ref, g.login
from gcos_grant_exception(:kind::text, :collection::text, :code::text, :inventory_key::text, :object_class::text, :scope::text, :link::text, :reason::text, :expires_at::timestamptz, :approval_ref::text,
  :as::text) as g

-- name: revokeRow
-- nullable: person_ref, :as
select r.outcome, r.person_ref, r.login
from gcos_revoke_exception(:code::text, :reason::text, :as::text) as r
