select outcome, request_code, login from gcos_open_request($1::text, $2::jsonb, $3::text)
