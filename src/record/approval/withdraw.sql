select outcome, standing, person_ref, approver_type, login, verified from gcos_withdraw_request($1::text, $2::text, $3::text)
