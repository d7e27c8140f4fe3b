-- name: list
-- nullable: owner, activated_at, activated_by, activated_verified, activated_level, self_approved, approval_ref, plan_hash, supersedes, notes
-- nullable: :version, :active_of, :after
select r.ruleset_version, r.family, r.status, r.owner, r.content_hash, r.components::text as components, r.created_at, r.created_by,
  r.activated_at, r.activated_by, a.verified as activated_verified, a.identity_level as activated_level, a.self_approved, r.approval_ref, r.plan_hash, r.supersedes, r.notes
from governance_ruleset r
left join governance_ruleset_activation a on a.approval_ref = r.approval_ref
where (:version::text is null or r.ruleset_version = :version::text)
  and (:active_of::text is null or (r.family = :active_of::text and r.status = 'active'))
  and (:after::text is null or (r.created_at, r.ruleset_version) < (
    select p.created_at, p.ruleset_version from governance_ruleset p where p.ruleset_version = :after::text))
order by r.created_at desc, r.ruleset_version desc
limit :limit::int8

-- name: readBytes
select r.ruleset_version, r.content_hash, encode(r.canonical_bytes, 'base64') as bytes
from governance_ruleset r
where r.ruleset_version = any (:versions::text[])
