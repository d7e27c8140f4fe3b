-- Every answer of the gate, one row per thing that was asked about. Written by gcos_gate_check() alone, which also decides: nobody can
-- record an answer that was not given.
create sequence governance_gate_check_seq as bigint;
create table governance_gate_decision (
  check_id bigint not null,
  item_no integer not null,
  decided_at timestamptz not null,
  as_of timestamptz not null,
  high_risk boolean not null,
  answer text not null,
  mode text not null,
  stage text not null,
  action text not null,
  login text not null,
  person_ref text,
  collection_name text,
  entity_code text,
  group_asked text,
  inventory_key text,
  pass_code text,
  scopes text[] not null,
  snapshot_refs bigint[] not null,
  ruleset_versions text[] not null,
  scan_times timestamptz[] not null,
  row_ids bigint[] not null,
  reasons jsonb,
  primary key (check_id, item_no),
  constraint governance_gate_decision_answer_known check (answer in ('allow', 'block', 'allow_and_rescan')),
  constraint governance_gate_decision_mode_known check (mode in ('enforce', 'observe'))
);
comment on table governance_gate_decision is 'GCOS: every answer of the gate: who asked, about what, what was answered, why, and under which evidence';
comment on column governance_gate_decision.answer is 'What was found, whatever the mode; under observe a block was said and not enforced';
comment on column governance_gate_decision.as_of is 'The point in time at which verdicts and exceptions had to hold';
comment on column governance_gate_decision.scopes is 'Place by place with snapshot_refs, ruleset_versions and scan_times, in which one value stands for all: under what it was believed in each scope';
comment on column governance_gate_decision.reasons is 'All reasons, with what their sentences are made of; null where there was none';
comment on column governance_gate_decision.pass_code is 'The break-glass pass that turned a block into an allow';

-- What a ruleset says to the gate: its scopes and which stages only observe. Read out of its bytes once: they never change.
create table governance_gate_rules (
  ruleset_version text primary key references governance_ruleset (ruleset_version),
  scopes text[] not null,
  modes jsonb not null
);
comment on table governance_gate_rules is 'GCOS: scopes and modes of rulesets that were in force when the gate was asked; derived from their bytes';

-- The last run with a ledger, without reading any of them. Completed means that it closed.
create index candidate_scan_run_by_ledger on candidate_scan_run (started_at desc, run_id desc) where ledger is not null;

grant select on governance_gate_decision, governance_gate_rules to {{reader}}, {{worker}}, {{api}}, {{pruner}};
grant delete on governance_gate_decision to {{pruner}};

insert into governance_setting (setting_key, setting_value, about) values
  ('gate.mode', '{"design": "enforce", "impl": "enforce", "route": "enforce", "prod": "enforce"}',
    'what the gate does with a block, per stage: enforce (exit 2) or observe (say it, record it, exit 0). Part of the ruleset: it counts once that is in force');
