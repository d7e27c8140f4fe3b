-- name: writePerson
-- nullable: person_login, approver_type, :login, :approver_type
select outcome, person_login, approver_type, login from gcos_write_person(:person::text, :login::text, :approver_type::text, :add::boolean)

-- name: listPeople
-- nullable: login, :person
select a.person_ref, a.login, a.approver_type, k.title, a.may_act_for_others, a.active,
  (select count(*) from governance_token t where t.person_ref = a.person_ref and t.revoked_at is null and t.expires_at > gcos_now()) as tokens
from governance_actor a
join governance_approver_kind k on k.approver_kind = a.approver_type
where :person::text is null or a.person_ref = :person
order by a.person_ref collate "C"
