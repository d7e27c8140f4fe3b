delete from {{schema}}.event_pending
where (select {{trust}}.gcos_enter_host()) and event_domain = 'governance' and event_type_hint like 'gcos.retry.%';
