drop function {{trust}}.gcos_finish_act(text, text, integer, text);
drop function {{trust}}.gcos_begin_act(text, text, text);
drop function {{trust}}.gcos_look_act(text, text);
drop table {{trust}}.gcos_act_key;
