-- name: readDelegations
-- Delegations that have ended at :at and are still marked active.
select o.object_type::text as object_type, o.object_ref::text as object_ref, o.scope::text as scope, o.owner_gov_code::text as owner,
  o.effective_to::timestamptz as effective_to
from governance_object_ownership o
where o.owner_kind = 'delegated' and o.lifecycle_status = 'active' and o.effective_to <= :at::timestamptz
order by 1, 2, 3, 4

-- fragment: phantoms
reference as materialized (
  select o.object_type::text as object_type, o.object_ref::text as object_ref, o.scope::text as scope
  from governance_object_ownership o
  where o.lifecycle_status = 'active' and (o.effective_to is null or o.effective_to > :at::timestamptz)
),
place as materialized (
  select p.object_class, p.collection_name, p.inherits
  from unnest(:place_classes::text[], :place_collections::text[], :inherits::boolean[]) as p(object_class, collection_name, inherits)
),
object as materialized (
  select distinct r.object_type, r.object_ref, p.collection_name, p.inherits
  from reference r
  join place p on p.object_class = r.object_type
),
with_row as materialized (
  select distinct o.object_type, o.object_ref
  from object o
  join object_row c on c.collection_name = o.collection_name and c.entity_code = o.object_ref
),
rowless as materialized (
  select o.object_type, o.object_ref, o.collection_name
  from object o
  where o.inherits and not exists (select from with_row w where w.object_type = o.object_type and w.object_ref = o.object_ref)
),
born as materialized (
  select distinct l.object_type, l.object_ref
  from rowless l
  join birth_registry b on b.collection_name = l.collection_name and b.entity_code = l.object_ref
)
select r.object_type, r.object_ref, r.scope
from reference r
where case r.object_type
    when 'collection' then
      not exists (select from collection_registry c where c.collection_name = r.object_ref)
      and not exists (select from populated i where i.source_registry = r.object_ref)
    when 'class' then r.object_ref <> all (:classes::text[])
    else not exists (select from with_row w where w.object_type = r.object_type and w.object_ref = r.object_ref)
      and not exists (select from born b where b.object_type = r.object_type and b.object_ref = r.object_ref)
  end
order by 1, 2, 3

-- name: readPhantoms
-- Ownership rows in force at :at whose subject does not exist: collections that are neither registered
-- nor have births, classes that are not in the catalogue (:classes), and objects that are not in the
-- inventory. :place_classes to :inherits give class, collection and whether the class inherits. Objects
-- of classes that do not inherit all have a row; the others are looked up in the births.
with object_row as (
  select c.collection_name, c.entity_code from governance_candidate_object c where c.row_state = 'active'
),
populated as (
  select i.source_registry from governance_inventory i where coalesce(i.member_count, 1) > 0
),
{{phantoms}}

-- name: previewPhantoms
-- The same for passed data: objects with rows, and collections with members.
with object_row as (
  select u.collection_name, u.entity_code from unnest(:collections::text[], :codes::text[]) as u(collection_name, entity_code)
),
populated as (
  select u.source_registry from unnest(:registries::text[]) as u(source_registry)
),
{{phantoms}}

-- name: readIslands
-- Owners that are not in the registry of governing bodies, with what they declare for themselves: their
-- subjects, approvals, reviews, and statuses that no other registry uses.
with stranger as materialized (
  select o.owner_gov_code::text as authority, o.object_type::text as object_type, o.object_ref::text as object_ref, o.approval_ref::text as approval_ref
  from governance_object_ownership o
  where o.owner_kind = 'accountable' and o.lifecycle_status = 'active'
    and not exists (select from governance_registry g where g.code::text = o.owner_gov_code::text)
),
lifecycle as (
  select i.lifecycle_status, array_agg(distinct i.source_registry) as registries
  from governance_inventory i
  where i.lifecycle_status is not null
  group by i.lifecycle_status
)
select s.authority, array_agg(distinct s.object_type || '/' || s.object_ref order by s.object_type || '/' || s.object_ref) as subjects,
  count(distinct s.approval_ref) as approvals,
  array(
    select c.collection_name::text from collection_registry c where c.coverage_review_owner::text = s.authority order by 1) as reviewed,
  array(
    select l.lifecycle_status from lifecycle l
    where l.registries <@ array_agg(distinct s.object_ref) order by l.lifecycle_status) as statuses
from stranger s
group by s.authority
order by s.authority

-- name: readBypasses
-- Unresolved changes by an action in :actions to an object of a class in :classes: all of them, or, with
-- :ids, the most recent ones and those with the ids :ids, by the primary key of the log.
-- nullable: :ids
select l.id::bigint as id, l.entity_type::text as entity_type, l.entity_code::text as entity_code, l.action::text as action
from registry_changelog l
where l.action = any (:actions::text[]) and l.entity_type = any (:classes::text[]) and l.resolved is not true
  and (:ids::bigint[] is null or l.id > (select max(m.id) from registry_changelog m) - 2000 or l.id = any (:ids::bigint[]))
order by l.id

-- name: readKnown
-- The subjects of recent findings of these types.
select k.finding_type, k.subject
from governance_finding_key k
where k.finding_type = any (:types::text[]) and not k.is_summary
order by k.issue_id desc
limit 2000

-- fragment: undeclared_axes
used as (
  select p.family, 'pivot/' || p.code as used_by
  from unnest(:pivots::text[], :pivot_families::text[]) as p(code, family)
  union all
  select i.axis_family, 'class/' || i.object_class
  from populated i
)
select u.family, array_agg(distinct u.used_by order by u.used_by) as used_by
from used u
where nullif(u.family, '') is not null and u.family <> all (:declared::text[])
group by u.family
order by u.family

-- name: readAxesInUse
-- Axis families that pivots or groups use and that no active axis declares.
with populated as (
  select i.axis_family, i.object_class from governance_inventory i where coalesce(i.member_count, 1) > 0
),
{{undeclared_axes}}

-- name: previewAxesInUse
-- The same for passed groups.
-- nullable: :families[]
with populated as (
  select u.axis_family, u.object_class from unnest(:families::text[], :classes::text[]) as u(axis_family, object_class)
),
{{undeclared_axes}}

-- name: readOwned
-- Rows of a registry that must have an owner.
-- nullable: owner, status
-- part table: collection_registry
-- part code: collection_name
-- part owner: coverage_review_owner
-- part status: null::text
-- part where: 
select t.{{code}}::text as code, t.{{owner}}::text as owner, {{status}} as status
from {{table}} t
where t.{{code}} is not null{{where}}
order by 1

-- name: readListed
-- The host's own list of exceptions.
-- nullable: approval_ref, is_over, status
-- part table: event_pending
-- part code: event_type_hint
-- part approval: last_error
-- part expires: processed_at
-- part status: null::text
select t.{{code}}::text as code, nullif(t.{{approval}}::text, '') as approval_ref, t.{{expires}}::timestamptz <= :at::timestamptz as is_over, {{status}} as status
from {{table}} t
order by 1
