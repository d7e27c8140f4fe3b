insert into registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by, alert_detail)
values ('governance_snapshot', 'gcos-trial', 'capture', localtimestamp, 'info', true, 'gcos', 'trial write of gcos doctor')
returning true as written
