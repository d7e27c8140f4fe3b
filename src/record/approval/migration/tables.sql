set local role {{trust_owner}};
-- The kinds of approver that a policy can ask for. Only a DBA adds one.
create table {{trust}}.governance_approver_kind (
  approver_kind text primary key check (approver_kind ~ '^[a-z][a-z0-9_]{0,39}$' and approver_kind <> 'any'),
  title text not null check (title <> '' and title = btrim(title))
);
comment on table {{trust}}.governance_approver_kind is 'GCOS: the kinds of approver, which the setting approval.policy counts; only a DBA maintains it';
comment on column {{trust}}.governance_approver_kind.title is 'One approver of this kind, as readers see it: council member';
insert into {{trust}}.governance_approver_kind (approver_kind, title)
values ('president', 'president'), ('council', 'council member'), ('member', 'member');

-- The acting persons: the database login is the identity, and only a DBA assigns it to a person.
create table {{trust}}.governance_actor (
  person_ref text primary key check (person_ref <> '' and person_ref = btrim(person_ref)),
  login text unique check (login not like 'token:%'),
  approver_type text not null references {{trust}}.governance_approver_kind (approver_kind),
  may_act_for_others boolean not null default false,
  active boolean not null default true
);
comment on table {{trust}}.governance_actor is 'GCOS: maps a database login to a person and approver type; only a DBA maintains it';
comment on column {{trust}}.governance_actor.login is 'The session_user of the person; null for a person for whom only others act';

-- The requests and decisions that GCOS witnessed, that is, those made through GCOS. The host keeps requests
-- and decisions in its own tables, where other programs also write; an approval counts only if both sides
-- agree.
create table {{trust}}.governance_request (
  request_code text primary key,
  request_id bigint not null,
  action_code text not null check (action_code like 'gcos.%'),
  risk text not null check (risk in ('low', 'medium', 'high')),
  policy jsonb,
  proposed_action jsonb not null check (jsonb_typeof(proposed_action) = 'object'),
  proposer text not null,
  login text not null,
  login_person text not null,
  verified boolean not null,
  identity_level text not null generated always as (
    case when not verified then 'unverified' when login like 'token:%' then 'token' else 'login' end) stored,
  opened_at timestamptz not null
);
comment on table {{trust}}.governance_request is 'GCOS: the requests opened through GCOS, in their original form; append-only';
comment on column {{trust}}.governance_request.policy is 'The approval policy at its opening: a later policy can demand more, not less';
comment on column {{trust}}.governance_request.login is 'The credential: the session_user, or token:ID';
comment on column {{trust}}.governance_request.identity_level is 'How the person was identified: by their login, by a token, or not verified';
comment on column {{trust}}.governance_request.login_person is 'The person to whom the login belongs; differs from proposer if the login acted for another person';

create table {{trust}}.governance_decision (
  id bigint generated always as identity primary key,
  request_code text not null references {{trust}}.governance_request (request_code),
  person_ref text not null,
  approver_type text not null references {{trust}}.governance_approver_kind (approver_kind),
  decision text not null check (decision in ('approve', 'reject', 'withdraw')),
  login text not null,
  verified boolean not null,
  identity_level text not null generated always as (
    case when not verified then 'unverified' when login like 'token:%' then 'token' else 'login' end) stored,
  reason text,
  decided_at timestamptz not null,
  approval_id bigint,
  constraint governance_decision_reasoned check (decision <> 'reject' or coalesce(btrim(reason), '') <> ''),
  constraint governance_decision_linked check ((decision = 'withdraw') = (approval_id is null))
);
-- One decision per person, also across several logins.
create unique index governance_decision_one_voice_idx on {{trust}}.governance_decision (request_code, person_ref)
  where decision in ('approve', 'reject');
comment on table {{trust}}.governance_decision is 'GCOS: the decisions made through GCOS, in their original form; append-only';
comment on column {{trust}}.governance_decision.approval_id is 'The row of apr_approvals; an approval counts only if this row agrees with it';

-- The action types that GCOS added to the host's table; all other types belong to the host.
create table {{trust}}.governance_action_type (
  action_code text primary key
);
comment on table {{trust}}.governance_action_type is 'GCOS: the rows of apr_action_types that GCOS added';

create function {{trust}}.gcos_refuse_change()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  raise exception 'witnessed rows cannot be changed: % of % is refused', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
end
$gcos_function$;
revoke all on function {{trust}}.gcos_refuse_change() from public;
create trigger governance_request_stays before update or delete or truncate on {{trust}}.governance_request
  for each statement execute function {{trust}}.gcos_refuse_change();
create trigger governance_decision_stays before update or delete or truncate on {{trust}}.governance_decision
  for each statement execute function {{trust}}.gcos_refuse_change();

grant select on {{trust}}.governance_approver_kind, {{trust}}.governance_actor, {{trust}}.governance_request, {{trust}}.governance_decision, {{trust}}.governance_action_type to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

set local role {{owner}};
