delete from {{schema}}.queue_heartbeat
where (select {{trust}}.gcos_enter_host()) and executor_kind = 'gcos' and executor_name like 'gcos\_%';
