-- name: insertDemoActors
-- Inserts the persons of the demo if there are none yet. The connected login is an operator who may act for
-- all of them.
insert into governance_actor (person_ref, login, approver_type, may_act_for_others)
select person.person_ref, person.login, person.approver_type, person.login is not null
from (
  values
    ('operator', session_user::text, 'member'),
    ('president', null, 'president'),
    ('council-1', null, 'council'),
    ('council-2', null, 'council'),
    ('council-3', null, 'council'),
    ('member-1', null, 'member'),
    ('member-2', null, 'member')
) as person (person_ref, login, approver_type)
where not exists (select from governance_actor)
returning person_ref

-- name: acceptUnverified
-- In a demonstration one login acts for every person; its decisions count and are shown as unverified.
update governance_setting
set setting_value = 'true', updated_at = now(), updated_by = session_user
where setting_key = 'approval.accept_unverified'
