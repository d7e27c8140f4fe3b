-- Nine governing bodies, six responsibility scopes, and the approvals that ownership and tools refer to:
-- APR-0001 to APR-0048 are applied, the rest are open, rejected or withdrawn.
insert into governance_registry (code, name, status)
values
  ('GOV-COUNCIL', 'Council', 'active'), ('GOV-SIV', 'System integrity', 'active'),
  ('GOV-DOT', 'Tools', 'active'), ('GOV-MOUT', 'Display', 'active'),
  ('GOV-KG-SYS', 'Knowledge graph', 'active'), ('GOV-IU', 'Information units', 'active'),
  ('GOV-TRADE', 'Trade', 'active'), ('GOV-CONTENT', 'Content', 'active'),
  ('GOV-ARCHIVE', 'Archive', 'dormant');

insert into governance_responsibility_scope (scope_code, default_owner_hint)
values
  ('policy', 'GOV-COUNCIL'), ('health', 'GOV-SIV'), ('execution', 'GOV-DOT'), ('render', 'GOV-MOUT'),
  ('approval', 'GOV-COUNCIL'), ('audit', 'GOV-SIV');

insert into apr_action_types (action_code, risk, description)
values
  ('assign_owner', 'medium', 'Make a body accountable for a subject in a scope'),
  ('delegate_owner', 'medium', 'Delegate ownership until a date'),
  ('grant_exception', 'high', 'Accept a gap until a date'),
  ('register_axis', 'low', 'Declare an axis'),
  ('change_profile', 'high', 'Change what a class must have'),
  ('activate_ruleset', 'high', 'Put a set of rules into force'),
  ('authorise_tool', 'high', 'Let a tool change governed objects'),
  ('retire_object', 'medium', 'Take an object out of service');

insert into approval_requests (id, code, action_code, status, proposed_action, proposer, created_at, decided_at)
select
  id, 'APR-' || lpad(id::text, 4, '0'), action_code, status,
  jsonb_build_object('action', action_code, 'subject', 'collection', 'number', id),
  (array['GOV-SIV', 'GOV-DOT', 'GOV-CONTENT', 'GOV-TRADE'])[1 + id % 4],
  timestamptz '2026-02-18 10:00:00+00' + id * interval '31 hours 7 minutes',
  case when status <> 'pending' then timestamptz '2026-02-19 10:00:00+00' + id * interval '31 hours 7 minutes' end
from (
  select id,
    (array[
      'assign_owner', 'authorise_tool', 'delegate_owner', 'register_axis', 'change_profile', 'retire_object'
    ])[1 + id % 6] as action_code,
    case
      when id <= 48 then 'applied' when id <= 54 then 'pending' when id <= 57 then 'rejected' else 'withdrawn'
    end as status
  from generate_series(1, 60) as id
) as request;

insert into apr_approvals (id, apr_id, approver, approver_type, decision, reason, decided_at)
select
  row_number() over (order by r.id, seat.number), r.id, 'council-seat-' || seat.number,
  case when seat.number = 1 then 'president' else 'council' end,
  case when r.status = 'rejected' then 'reject' else 'approve' end,
  case when r.status = 'rejected' then 'the way back is missing' end,
  r.decided_at - seat.number * interval '10 minutes'
from approval_requests r
cross join generate_series(1, 2) as seat (number)
where r.status in ('applied', 'rejected');
