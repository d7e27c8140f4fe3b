drop function gcos_input_trust(text, text, text, text, text, text, timestamptz, text);
drop function gcos_input_release(text[], text[], text, text, timestamptz, text);
drop function gcos_input_quarantine(text[], text[], text, text, timestamptz, text);
drop function gcos_seed_input();
drop table governance_input_state;
drop table governance_input_trust;
drop table governance_input_contract;
delete from governance_setting where setting_key = 'input.policy';
