set local role {{trust_owner}};
-- Break-glass passes override a block of the gate: requested by one person, approved by another, for minutes.
-- Whether a pass is in force is never stored: governance_break_glass_in_force() computes it for a point in
-- time.
create table {{trust}}.governance_break_glass (
  pass_id bigint generated always as identity primary key,
  pass_code text not null unique
    generated always as ('GBG-' || lpad(pass_id::text, greatest(4, length(pass_id::text)), '0')) stored,
  collection_name text,
  entity_code text,
  inventory_key text,
  container_key text,
  stage text not null constraint governance_break_glass_stage_known check (stage in ('design', 'impl', 'route', 'prod')),
  action text not null constraint governance_break_glass_action_known check (action in ('read', 'write', 'execute')),
  minutes integer not null constraint governance_break_glass_minutes check (minutes between 1 and 1440),
  reason text not null constraint governance_break_glass_reasoned check (btrim(reason) <> ''),
  requested_by text not null,
  requested_at timestamptz not null,
  approve_by timestamptz not null,
  -- One approval, one pass.
  approval_ref text not null constraint governance_break_glass_one_approval unique,
  began_at timestamptz,
  closed_at timestamptz,
  closed_by text,
  noted_at timestamptz,
  marked_at timestamptz,
  verified_at timestamptz,
  constraint governance_break_glass_one_subject check (
    (collection_name is null) = (entity_code is null) and (collection_name is null) <> (inventory_key is null)),
  constraint governance_break_glass_closed_by_known check ((closed_at is null) = (closed_by is null))
);
comment on table {{trust}}.governance_break_glass is 'GCOS: break-glass passes, each with two people and a limit in minutes; only governance_break_glass_in_force() decides whether one is in force';
comment on column {{trust}}.governance_break_glass.container_key is 'For an object: its inventory group, which represents it where it has no row of its own';
comment on column {{trust}}.governance_break_glass.began_at is 'The time of its approval, stored when a decision of the gate first relied on the pass, or GCOS noted its beginning: from then on it was in force, whatever happens to its approval';
comment on column {{trust}}.governance_break_glass.noted_at is 'When GCOS recorded its beginning in the audit log and raised the finding';
comment on column {{trust}}.governance_break_glass.marked_at is 'When its subject was marked for re-evaluation, after its end';
comment on column {{trust}}.governance_break_glass.verified_at is 'When GCOS verified that its subject was re-evaluated after its end: its finding is resolved';
create index governance_break_glass_open on {{trust}}.governance_break_glass (pass_id) where verified_at is null;
create index governance_break_glass_recent on {{trust}}.governance_break_glass (approve_by);
grant select on {{trust}}.governance_break_glass to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
