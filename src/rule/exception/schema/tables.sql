set local role {{trust_owner}};
-- Accepted gaps. An exception is in force while it is approved, neither expired nor revoked, and its
-- subject is unchanged since the grant.
create table {{trust}}.governance_exception (
  exception_id bigint generated always as identity primary key,
  exception_code text not null unique
    generated always as ('GEX-' || lpad(exception_id::text, greatest(4, length(exception_id::text)), '0')) stored,
  subject_kind text not null
    constraint governance_exception_kind_known check (subject_kind in ('object', 'group', 'collection', 'class')),
  collection_name text,
  entity_code text,
  inventory_key text,
  object_class text,
  scope text not null,
  link text,
  reason text not null constraint governance_exception_reasoned check (btrim(reason) <> ''),
  requested_by text not null,
  granted_at timestamptz not null,
  expires_at timestamptz not null,
  fingerprint text not null,
  -- Null: an exception without approval, which is not in force.
  approval_ref text,
  revoked_at timestamptz,
  revoked_by text,
  revoke_reason text,
  applied_status text,
  is_grant_announced boolean not null default false,
  is_expiry_announced boolean not null default false,
  constraint governance_exception_subject_whole check (
    (collection_name is not null) = (subject_kind in ('object', 'collection'))
    and (entity_code is not null) = (subject_kind = 'object')
    and (inventory_key is not null) = (subject_kind = 'group')
    and (object_class is not null) = (subject_kind = 'class')),
  constraint governance_exception_ends check (expires_at > granted_at),
  constraint governance_exception_revoked_by_known check ((revoked_at is null) = (revoked_by is null))
);
-- One approval, one use: a request serves the exception that it is about, or each of those that it lists,
-- once.
create unique index governance_exception_one_approval on {{trust}}.governance_exception
  (approval_ref, subject_kind, collection_name, entity_code, inventory_key, object_class, scope, link) nulls not distinct
  where approval_ref is not null;
comment on table {{trust}}.governance_exception is 'GCOS: accepted gaps; only governance_exception_in_force() decides whether one is in force';
comment on column {{trust}}.governance_exception.link is 'The link that may be missing; null: any';
comment on column {{trust}}.governance_exception.fingerprint is 'The state of the subject at the grant: gcos_exception_fingerprint()';
comment on column {{trust}}.governance_exception.applied_status is 'The status that a scan applied last; null: none yet. It is not the current status';
comment on column {{trust}}.governance_exception.is_grant_announced is 'Whether the grant has been audited';
comment on column {{trust}}.governance_exception.is_expiry_announced is 'Whether the expiry has been audited';
grant select on {{trust}}.governance_exception to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
