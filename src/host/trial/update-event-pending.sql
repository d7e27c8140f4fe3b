update event_pending set error_count = error_count + 1, last_error = 'trial write of gcos doctor'
where event_domain = 'governance' and event_type_hint = 'trial' and entity_ref = 'gcos-trial'
returning true as written
