drop function gcos_activate_ruleset(text, text, text, text, text, text);
drop function gcos_draft_ruleset(text, text, text, jsonb, text, text, text);
drop function gcos_ruleset_owner();
drop function gcos_seed_reach();
drop table governance_rule_reach;
drop table governance_ruleset_activation;
drop table governance_ruleset;
drop function gcos_keep_ruleset();
delete from governance_setting where setting_key in ('ruleset.settings', 'ruleset.owner', 'rule.reach_domains');
