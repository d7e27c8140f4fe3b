drop function gcos_carry_forward(text, text, text[], text[], text[], text[], timestamptz, text);
delete from governance_setting where setting_key = 'verdict.high_risk_write';
drop function gcos_object_reasons(timestamptz, boolean);
drop function gcos_consulted_objects(timestamptz);
drop table governance_consulted_object;
delete from governance_setting where setting_key in ('verdict.default_ttl_seconds', 'input.limits', 'verdict.link_evidence',
  'verdict.link_columns', 'verdict.owned_registries', 'verdict.exception_registry', 'verdict.bypass_actions', 'ledger.caveats',
  'verdict.legacy');
create or replace view v_governance_snapshot_in_use as
select null::bigint as snapshot_id where false;
drop function gcos_analyze_candidates();
drop function governance_validity(timestamptz);
drop function gcos_validity_reason(text, boolean, text, boolean, timestamptz, timestamptz);
drop table candidate_scan_run;
drop table governance_verdict_history;
drop table governance_candidate_object;
drop table governance_candidate_state;
drop function gcos_object_key(text, text);
drop function gcos_spread(text);
drop function gcos_only_moved(text);
drop sequence governance_candidate_row_seq;
