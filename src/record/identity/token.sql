-- name: createToken
-- nullable: detail, token_id, token, person_ref, expires_at, created_by, :person, :scopes, :owners, :days
select outcome, detail, token_id, token, person_ref, expires_at, created_by, login
from gcos_create_token(:name::text, :person::text, :pipeline::boolean, :permissions::text[], :scopes::text[], :owners::text[], :days::integer)

-- name: revokeToken
-- nullable: revoked_by
select outcome, revoked_by, login from gcos_revoke_token(:token_id::text)

-- name: listTokens
-- Newest first, after token :after; :token_id null: all.
-- nullable: person_ref, scopes, owners, revoked_at, revoked_by, last_used_at, :token_id, :after
select t.token_id, t.token_name, t.person_ref, t.permissions, t.scopes, t.owners, t.created_at, t.created_by, t.expires_at, t.revoked_at,
  t.revoked_by, t.last_used_at,
  case when t.revoked_at is not null then 'revoked' when t.expires_at <= gcos_now() then 'expired'
    when t.person_ref is not null and a.active is not true then 'person_inactive' else 'active' end as status
from governance_token t
left join governance_actor a on a.person_ref = t.person_ref
where (:token_id::text is null or t.token_id = :token_id)
  and (:after::text is null or (t.created_at, t.token_id) < (select b.created_at, b.token_id from governance_token b where b.token_id = :after))
order by t.created_at desc, t.token_id desc
limit :limit::bigint
