insert into event_subscription (recipient_ref, event_domain, scope_filter, mute)
values ('gcos-trial', 'governance', '{}', true)
returning true as written
