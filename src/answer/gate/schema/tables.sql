set local role {{trust_owner}};
-- Every answer of the gate. Most items of a release get the same answer with the same reasons and evidence:
-- such items of one collection are recorded in one row. INVARIANT: only gcos_gate_check() writes here, and it
-- also decides, so no other session can record an answer the gate did not give.
create sequence {{trust}}.governance_gate_check_seq as bigint;
-- The id of the next check. INVARIANT: the transaction has an id of its own before it takes a check id; that
-- tells gcos_seal_gate() which transactions can still record answers.
create function {{trust}}.gcos_next_check()
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform pg_current_xact_id();
  return nextval('{{trust}}.governance_gate_check_seq');
end
$gcos_function$;
revoke all on function {{trust}}.gcos_next_check() from public;
create table {{trust}}.governance_gate_answer (
  check_id bigint not null,
  first_item integer not null,
  item_nos integer[] not null,
  entity_codes text[] not null,
  decided_at timestamptz not null,
  watched_at timestamptz,
  high_risk boolean not null,
  answer text not null,
  mode text not null,
  stage text not null,
  action text not null,
  login text not null,
  person_ref text,
  collection_name text,
  requested_group text,
  inventory_key text,
  represented boolean not null,
  pass_code text,
  scopes text[] not null,
  snapshot_refs bigint[] not null,
  ruleset_versions text[] not null,
  scan_times timestamptz[] not null,
  reasons jsonb,
  primary key (check_id, first_item),
  constraint governance_gate_answer_known check (answer in ('allow', 'block', 'allow_and_rescan') and mode in ('enforce', 'observe'))
);
comment on table {{trust}}.governance_gate_answer is 'GCOS: every answer of the gate, one row for all items with the same answer; governance_gate_decision has one row per item';
comment on column {{trust}}.governance_gate_answer.entity_codes is 'Parallel to item_nos: the objects; null for a group';
comment on column {{trust}}.governance_gate_answer.answer is 'The answer, regardless of the mode; under observe a block was reported and not enforced';
comment on column {{trust}}.governance_gate_answer.decided_at is 'The time of the server, at which verdicts, exceptions and passes had to be valid';
comment on column {{trust}}.governance_gate_answer.watched_at is 'Everything that the host committed before this time was taken in; null: nothing was ever watched';
comment on column {{trust}}.governance_gate_answer.represented is 'Whether the rows of the inventory group answered where the object has none of its own: its class inherits, or the question was about a group';
comment on column {{trust}}.governance_gate_answer.scopes is 'Parallel to snapshot_refs, ruleset_versions and scan_times: the evidence in each scope';
comment on column {{trust}}.governance_gate_answer.reasons is 'All reasons, with the facts of their sentences; null if there is none';
comment on column {{trust}}.governance_gate_answer.pass_code is 'The break-glass pass that turned a block into an allow';

create view {{trust}}.governance_gate_decision as
select a.check_id, i.item_no, a.decided_at, a.watched_at, a.high_risk, a.answer, a.mode, a.stage, a.action, a.login, a.person_ref, a.collection_name,
  i.entity_code, a.requested_group, a.inventory_key, a.represented, a.pass_code, a.scopes, a.snapshot_refs, a.ruleset_versions, a.scan_times, a.reasons
from {{trust}}.governance_gate_answer a
cross join lateral unnest(a.item_nos, a.entity_codes) as i(item_no, entity_code);
comment on view {{trust}}.governance_gate_decision is 'GCOS: every answer of the gate, one row per item: login, subject, answer, reasons and evidence';

-- The settings of the gate in a ruleset: its scopes, the modes of its stages (enforce or observe), after how
-- many minutes unwatched it no longer allows, and how old the last closed ledger may be. Activation derives
-- them from the canonical bytes of the ruleset. INVARIANT: these bytes never change.
create table {{trust}}.governance_gate_rules (
  ruleset_version text primary key references {{trust}}.governance_ruleset (ruleset_version),
  scopes text[] not null,
  modes jsonb not null,
  max_unwatched jsonb not null,
  max_ledger_age jsonb not null
);
comment on table {{trust}}.governance_gate_rules is 'GCOS: scopes and gate settings of the rulesets that were ever active; derived from their canonical bytes';

grant select on {{trust}}.governance_gate_answer, {{trust}}.governance_gate_decision, {{trust}}.governance_gate_rules to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};

-- Finds the last run with a ledger without reading the ledgers. Completed means that it closed.
create index candidate_scan_run_by_ledger on {{schema}}.candidate_scan_run (started_at desc, run_id desc) where ledger is not null;
