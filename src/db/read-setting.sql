select setting_value from governance_setting where setting_key = $1::text
