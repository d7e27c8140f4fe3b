-- name: present
-- nullable: :scope, :owner
select gcos_present(:credential::text, :permission::text, :scope::text, :owner::text) as token_id
