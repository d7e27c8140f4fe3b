select set_config('application_name', $1::text, true) as tag
