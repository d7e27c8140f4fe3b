-- name: present
-- Sets what the transaction still lacks (:names and :values are parallel), and presents a credential.
-- nullable: :scope, :owner
select (
    select count(set_config(s.name, s.value, true)) from unnest(:names::text[], :values::text[]) as s(name, value)) as settings,
  gcos_present(:credential::text, :permission::text, :scope::text, :owner::text) as token_id
