delete from {{schema}}.event_pending where event_domain = 'governance' and event_type_hint like 'gcos.retry.%';
