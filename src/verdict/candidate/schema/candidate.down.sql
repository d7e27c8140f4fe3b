drop function {{trust}}.gcos_carry_forward(text, text, timestamptz);
drop function {{trust}}.gcos_ruleset_scopes(text);
drop function {{trust}}.gcos_reached_groups(text, text);
delete from {{trust}}.governance_setting where setting_key = 'verdict.high_risk_write';
drop function {{trust}}.gcos_object_reasons(timestamptz, boolean);
drop function {{trust}}.gcos_consulted_objects(timestamptz);
drop table {{schema}}.governance_consulted_object;
delete from {{trust}}.governance_setting where setting_key in ('verdict.default_ttl_seconds', 'input.limits', 'verdict.link_evidence',
  'verdict.link_columns', 'verdict.owned_registries', 'verdict.exception_registry', 'verdict.bypass_actions', 'ledger.caveats',
  'verdict.legacy');
create or replace view {{schema}}.v_governance_snapshot_in_use as
select null::bigint as snapshot_id where false;
drop function {{trust}}.gcos_analyze_candidates();
drop function {{trust}}.governance_validity(timestamptz);
drop function {{trust}}.gcos_validity_reason(text, boolean, text, boolean, timestamptz, timestamptz);
drop function {{trust}}.gcos_end_runs(boolean, text, text, text, text);
drop function {{trust}}.gcos_write_run(text, text, bigint, bigint, text, text, jsonb, jsonb, jsonb, text);
drop function {{trust}}.gcos_begin_run(text, text, text, bigint, text, text, jsonb);
drop table {{schema}}.candidate_scan_run;
drop table {{schema}}.governance_verdict_history;
drop table {{schema}}.governance_candidate_object;
drop table {{schema}}.governance_candidate_state;
drop function {{trust}}.gcos_object_key(text, text);
drop function {{trust}}.gcos_spread(text);
drop function {{trust}}.gcos_only_moved(text);
drop sequence {{schema}}.governance_candidate_row_seq;
