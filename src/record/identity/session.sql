-- name: createLink
-- nullable: link, expires_at
select outcome, link, expires_at, login from gcos_create_link(:token_id::text)

-- name: openSession
select session_id, secret, expires_at from gcos_open_session(:credential::text)

-- name: closeSession
select gcos_close_session(:credential::text, :everywhere::boolean) as ended

-- name: readIdentity
-- nullable: person_ref, approver_type, scopes, owners
select token_id, token_name, person_ref, approver_type, permissions, scopes, owners, expires_at from gcos_whoami()
