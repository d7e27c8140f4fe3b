drop function {{trust}}.gcos_input_trust(text, text, text, text, text, text);
drop function {{trust}}.gcos_input_release(text[], text[], text, text);
drop function {{trust}}.gcos_input_quarantine(text[], text[], text, text);
drop function {{trust}}.gcos_seed_input();
drop table {{schema}}.governance_input_state;
drop table {{schema}}.governance_input_trust;
drop table {{schema}}.governance_input_contract;
