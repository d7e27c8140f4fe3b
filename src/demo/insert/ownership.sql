-- The owners. Collections have anchors that their members inherit, two classes have direct owners, and
-- members of the registries have individual owners. Then follow the rows that are intentionally wrong or
-- unusual.
insert into governance_object_ownership (
  id, object_type, object_ref, scope, owner_kind, owner_gov_code, is_inherited_anchor, effective_from, effective_to,
  lifecycle_status, approval_ref, audit_ref, rollback_ref, source_law_ref, source_design_ref, supersedes_id, created_at)
with scope as (
  select scope_code as scope, default_owner_hint as owner, row_number() over (order by scope_code collate "C") as ordinal
  from governance_responsibility_scope
),
anchored as (
  select c.ordinal, 'collection' as object_type, c.collection_name as object_ref, true as anchor
  from pg_temp.estate_collection c
  where c.collection_name in (select collection_name from pg_temp.estate_strain)
    and c.coverage_status = 'BIRTH_REQUIRED'
    and c.collection_name not in (
      -- The first five have no owner in any scope; courses and lessons are owned through their classes; the
      -- last two are private and need no owner.
      'venues', 'campaigns', 'devices', 'field_notes', 'glossary_terms', 'courses', 'lessons', 'saved_views', 'user_drafts')
  union all
  values (201, 'collection', 'dot_tools', true), (202, 'class', 'course', false), (203, 'class', 'lesson', false)
),
container_row as (
  select 1 as part, a.ordinal, s.ordinal as scope_ordinal, a.object_type, a.object_ref, s.scope,
    case when a.object_ref like 'lab\_%' then 'LAB-COUNCIL' else s.owner end as owner, a.anchor,
    case
      when a.object_ref like 'lab\_%' then 'LAB-APPROVAL-' || a.ordinal
      -- The assignment of this owner was never approved.
      when a.object_ref = 'invoices' and s.scope = 'approval' then null
      else 'APR-' || lpad((1 + (a.ordinal * 7 + s.ordinal) % 48)::text, 4, '0')
    end as approval_ref,
    case
      when not (a.object_ref = 'customers' and s.scope = 'audit') then 'registry_changelog/' || (1 + a.ordinal % 100)
    end as audit_ref,
    case when not (a.object_ref = 'orders' and s.scope = 'execution') then 'GD-010' end as rollback_ref,
    case
      when not (a.object_ref = 'employees' and s.scope = 'policy') then 'LAW-' || lpad((8 + a.ordinal % 30)::text, 2, '0')
    end as law_ref,
    case when a.object_ref <> 'course' then 'GD-002' end as design_ref
  from anchored a
  cross join scope s
  where not (a.object_ref = 'bookings' and s.scope not in ('policy', 'audit'))
    and not (a.object_ref = 'newsletters' and s.scope <> 'policy')
    and not (a.object_ref = 'payments' and s.scope = 'approval')
    and not (a.object_ref = 'tickets' and s.scope = 'execution')
),
member_row as (
  select 2, row_number() over (order by m.ordinal, m.code collate "C"), s.ordinal, m.object_class, m.code, s.scope,
    s.owner, false, m.approval_ref, m.audit_ref, m.rollback_ref, m.law_ref, m.design_ref
  from pg_temp.estate_member m
  join coverage_profile p on p.class_pattern = m.object_class
  join scope s on p.required_links -> s.scope ? 'owner'
  where m.owned and not m.never_born
),
plain as (
  select row_number() over (order by part, ordinal, scope_ordinal) as id, *
  from (select * from container_row union all select * from member_row) as row_of_either
),
special (ordinal, object_type, object_ref, scope, kind, owner, anchor, starts, ends, lifecycle, approval_ref) as (
  values
    -- The only conflict: GOV-COUNCIL is already accountable for products in this scope.
    (1, 'collection', 'products', 'policy', 'accountable', 'GOV-KG-SYS', true, '2026-03-10', null, 'active', 'APR-0021'),
    -- A delegation that has ended but is still marked as active, and a valid one.
    (2, 'collection', 'tickets', 'execution', 'delegated', 'GOV-KG-SYS', true, '2026-03-01', '2026-04-30', 'active', 'APR-0022'),
    (3, 'collection', 'tasks', 'health', 'delegated', 'GOV-KG-SYS', false, '2026-03-01', '2999-12-31', 'active', 'APR-0023'),
    -- References to subjects that are not in the inventory: a collection, a tool, a class.
    (4, 'collection', 'retired_portal', 'policy', 'accountable', 'GOV-ARCHIVE', true, '2026-02-18', null, 'active', 'APR-0024'),
    (5, 'dot_tool', 'DOT-999', 'execution', 'accountable', 'GOV-DOT', false, '2026-02-18', null, 'active', 'APR-0025'),
    (6, 'class', 'hologram', 'render', 'accountable', 'GOV-MOUT', false, '2026-02-18', null, 'active', 'APR-0026'),
    -- A private object to which a shared object refers.
    (7, 'saved_view', 'SV-000007', 'render', 'accountable', 'GOV-MOUT', false, '2026-04-01', null, 'active', 'APR-0027'),
    -- Other owner kinds and other lifecycle statuses.
    (8, 'collection', 'articles', 'health', 'supporting', 'GOV-CONTENT', false, '2026-02-18', null, 'active', 'APR-0028'),
    (9, 'collection', 'contracts', 'execution', 'exception', 'GOV-TRADE', false, '2026-03-01', '2027-03-31', 'active', 'APR-0007'),
    (10, 'collection', 'orders', 'policy', 'accountable', 'GOV-TRADE', true, '2026-02-10', '2026-02-17', 'superseded', 'APR-0029'),
    (11, 'collection', 'venues', 'policy', 'accountable', 'GOV-ARCHIVE', true, '2026-02-10', '2026-03-31', 'revoked', 'APR-0030'),
    (12, 'collection', 'venues', 'health', 'accountable', 'GOV-ARCHIVE', true, '2026-02-10', '2026-03-31', 'expired', 'APR-0030')
)
select
  special.ordinal, object_type, object_ref, scope, kind, owner, anchor, starts::timestamptz, ends::timestamptz, lifecycle,
  approval_ref, 'registry_changelog/' || (20 + special.ordinal), 'GD-010', 'LAW-32', 'GD-007', null::bigint, starts::timestamptz
from special
union all
select
  12 + id, object_type, object_ref, scope, 'accountable', owner, anchor, timestamptz '2026-02-18 00:00:00+00', null, 'active',
  approval_ref, audit_ref, rollback_ref, law_ref, design_ref,
  case when object_ref = 'orders' and scope = 'policy' then 10 end,
  timestamptz '2026-02-18 00:00:00+00'
from plain;
