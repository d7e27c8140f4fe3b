-- name: readSettingRow
select setting_value from governance_setting where setting_key = :key::text
