drop function {{trust}}.gcos_restamp_findings(text[], text, text);
drop function {{trust}}.gcos_closed_statuses();
drop function {{trust}}.gcos_write_findings(
  text[], text[], text[], text[], text[], boolean[], text[], text[], text[], text[], text[], bigint[],
  text, text, text[], text[], text[]);
drop function {{trust}}.gcos_store_findings(
  text[], text[], text[], text[], text[], boolean[], text[], text[], text[], text[], text[], bigint[],
  text, timestamptz, text, text[], text[], text[]);
drop function {{trust}}.gcos_rule_hash(text, text, text);
drop function {{trust}}.gcos_violation_hash(text, jsonb);
drop table {{schema}}.governance_finding_key;
drop table {{schema}}.governance_finding_type;
