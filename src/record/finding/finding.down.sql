delete from governance_setting
where setting_key in ('finding.cool_down', 'finding.ceiling', 'finding.sample', 'finding.bodies', 'finding.closed_statuses');
drop function gcos_restamp_findings(text[], text[], text, text, text[]);
drop function gcos_write_findings(
  text[], text[], text[], text[], text[], boolean[], text[], text[], text[], text[], text[], bigint[], text[], bigint[],
  text, timestamptz, text, text, text, text[], text[], text[], text[], text);
drop function gcos_store_findings(
  text[], text[], text[], text[], text[], boolean[], text[], text[], text[], text[], text[], bigint[], text[], bigint[],
  text, timestamptz, text, text, text, text[], text[], text[], text[]);
drop function gcos_rule_hash(text, text, text);
drop function gcos_violation_hash(text, jsonb);
drop table governance_finding_key;
drop table governance_finding_type;
