select r.ruleset_version, r.family, r.status, r.owner, r.content_hash, r.components::text as components, r.created_at, r.created_by,
  r.activated_at, r.activated_by, a.verified as activated_verified, r.approval_ref, r.plan_hash, r.supersedes, r.notes
from governance_ruleset r
left join governance_ruleset_activation a on a.approval_ref = r.approval_ref
where ($1::text is null or r.ruleset_version = $1::text)
  and ($2::text is null or (r.family = $2::text and r.status = 'active'))
  and ($3::text is null or (r.created_at, r.ruleset_version) < (
    select p.created_at, p.ruleset_version from governance_ruleset p where p.ruleset_version = $3::text))
order by r.created_at desc, r.ruleset_version desc
limit $4::int8
