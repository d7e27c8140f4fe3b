drop function {{trust}}.gcos_webhook_give_up(bigint, bigint[], boolean);
drop function {{trust}}.gcos_webhook_failed(bigint, text, double precision, boolean);
drop function {{trust}}.gcos_webhook_sent(bigint, bigint, bigint);
drop function {{trust}}.gcos_remove_webhook(bigint);
drop function {{trust}}.gcos_rotate_webhook(bigint, text, integer);
drop function {{trust}}.gcos_add_webhook(text, text[], text, text, boolean);
drop table {{schema}}.gov_webhook;
