-- name: writePerson
-- nullable: person_login, approver_type, :login, :approver_type
select outcome, person_login, approver_type, login from gcos_write_person(:person::text, :login::text, :approver_type::text, :add::boolean)

-- name: listPeople
-- nullable: login, :person
select a.person_ref, a.login, a.approver_type, k.title, a.may_act_for_others, a.active, a.erased,
  (select count(*) from governance_identity i where i.person_ref = a.person_ref) as identities, coalesce(n.tokens, 0) as tokens
from governance_actor a
join governance_approver_kind k on k.approver_kind = a.approver_type
left join (
  select t.person_ref, count(*) as tokens
  from gcos_visible_tokens() t
  where t.revoked_at is null and t.expires_at > gcos_now()
  group by t.person_ref
) n on n.person_ref = a.person_ref
where :person::text is null or a.person_ref = :person
order by a.person_ref collate "C"

-- name: mapIdentity
-- nullable: identity_hash
select outcome, identity_hash, login from gcos_map_identity(:person::text, :issuer::text, :subject::text)

-- name: erasePerson
select outcome, identities, sign_ins, sessions, tokens, login from gcos_erase_person(:person::text)

-- name: forgetRecipient
select gcos_forget_recipient(:person::text) as notifications
