drop function {{trust}}.gcos_order_work(text, text);
drop table {{trust}}.gcos_work_order;
