-- Who acts: the database login is the identity, and only a DBA says whose it is.
create table governance_actor (
  person_ref text primary key check (person_ref <> '' and person_ref = btrim(person_ref)),
  login text unique,
  approver_type text not null check (approver_type in ('president', 'council', 'member')),
  may_act_for_others boolean not null default false,
  active boolean not null default true
);
comment on table governance_actor is 'GCOS: database login to person and approver type; maintained by a DBA, by nobody else';
comment on column governance_actor.login is 'The session_user of the person; null for somebody who is only ever acted for';

-- What GCOS itself witnessed. The host keeps requests and decisions in its own tables, where others write
-- too; only what both sides agree on counts.
create table governance_request (
  request_code text primary key,
  request_id bigint not null,
  action_code text not null check (action_code like 'gcos.%'),
  risk text not null check (risk in ('low', 'medium', 'high')),
  proposed_action jsonb not null check (jsonb_typeof(proposed_action) = 'object'),
  proposer text not null,
  login text not null,
  login_person text not null,
  verified boolean not null,
  opened_at timestamptz not null
);
comment on table governance_request is 'GCOS: the requests opened through GCOS, as they were opened; append-only';
comment on column governance_request.login_person is 'Whose login it was; differs from proposer where one acted for another';

create table governance_decision (
  id bigint generated always as identity primary key,
  request_code text not null references governance_request (request_code),
  person_ref text not null,
  approver_type text not null check (approver_type in ('president', 'council', 'member')),
  decision text not null check (decision in ('approve', 'reject', 'withdraw')),
  login text not null,
  verified boolean not null,
  reason text,
  decided_at timestamptz not null,
  approval_id bigint,
  constraint governance_decision_reasoned check (decision <> 'reject' or coalesce(btrim(reason), '') <> ''),
  constraint governance_decision_linked check ((decision = 'withdraw') = (approval_id is null))
);
-- One voice per person, whatever login it was raised with.
create unique index governance_decision_one_voice_idx on governance_decision (request_code, person_ref)
  where decision in ('approve', 'reject');
comment on table governance_decision is 'GCOS: decisions made through GCOS, as they were made; append-only';
comment on column governance_decision.approval_id is 'The row of apr_approvals that must say the same for an approval to count';

-- Which action types GCOS added to the host's table; the others are the host's own.
create table governance_action_type (
  action_code text primary key
);
comment on table governance_action_type is 'GCOS: the rows of apr_action_types that GCOS added';

create function gcos_refuse_change()
returns trigger
language plpgsql
as $gcos_function$
begin
  raise exception 'what was witnessed stays: % of % is refused', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
end
$gcos_function$;
revoke all on function gcos_refuse_change() from public;
create trigger governance_request_stays before update or delete or truncate on governance_request
  for each statement execute function gcos_refuse_change();
create trigger governance_decision_stays before update or delete or truncate on governance_decision
  for each statement execute function gcos_refuse_change();

grant select on governance_actor, governance_request, governance_decision, governance_action_type to {{reader}}, {{worker}}, {{api}}, {{pruner}};

insert into governance_setting (setting_key, setting_value, about)
values
  ('approval.actions',
   '{"gcos.ruleset.activate": "high", "gcos.gate.break_glass": "medium", "gcos.exception.grant": "medium", "gcos.remediation.propose": "low"}',
   'What can be requested through GCOS, and its risk (low, medium, high) where the host''s apr_action_types has no row yet'),
  ('approval.accept_unverified', 'false',
   'true: decisions made for another person (--as) count. For demonstrations; anywhere else one login could fill a quorum'),
  ('approval.two_logins', '["gcos.gate.break_glass"]',
   'Actions that take two people whatever else is accepted: a decision made with the login that opened the request does not count, in whoever''s name');
