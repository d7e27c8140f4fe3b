-- name: insertDemoCaveat
-- Sets :caveats, as JSON, unless there are caveats already.
update governance_setting
set setting_value = :caveats::jsonb, updated_at = now(), updated_by = session_user
where setting_key = 'ledger.caveats' and setting_value = '[]'
returning setting_key
