select gcos_set_paused($1::bool, $2::text) as setting_value
