-- name: insertPerson
insert into governance_actor (person_ref, login, approver_type)
select session_user, session_user, 'member' where not exists (select from governance_actor)
returning person_ref

-- name: insertBody
insert into governance_registry (code, name, status)
values (:code::text, 'Those who operate GCOS', 'active')
on conflict (code) do nothing
returning code
