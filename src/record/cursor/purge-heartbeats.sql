delete from {{schema}}.queue_heartbeat where executor_kind = 'gcos' and executor_name like 'gcos\_%';
