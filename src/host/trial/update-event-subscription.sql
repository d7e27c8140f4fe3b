update event_subscription set mute = true
where recipient_ref = 'gcos-trial' and event_domain = 'governance'
returning true as written
