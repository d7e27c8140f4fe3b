-- In a demonstration one login plays every part; its decisions count and are shown as unverified.
update governance_setting
set setting_value = 'true', updated_at = now(), updated_by = session_user
where setting_key = 'approval.accept_unverified'
