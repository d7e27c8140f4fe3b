select outcome, standing, person_ref, approver_type, login, verified from gcos_decide($1::text, $2::text, $3::text, $4::text)
