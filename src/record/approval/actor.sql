-- name: readActor
-- nullable: person_ref, approver_type, verified, :as
select outcome, person_ref, approver_type, login, verified from gcos_actor(:as::text, null)
