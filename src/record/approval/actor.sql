select outcome, person_ref, approver_type, login, verified from gcos_actor($1::text)
