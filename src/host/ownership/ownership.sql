-- name: findTables
-- For each of these tables: whether it exists, has all columns and is readable; `chain`: whether the rows
-- of ownership also say which row they replace.
-- nullable: usable
select t.part,
  count(a.attname) = cardinality(t.columns) and bool_and(has_table_privilege(to_regclass(t.relation), 'select')) as usable
from (
  values
    ('ownership', 'governance_object_ownership', array['object_type', 'object_ref', 'scope', 'owner_kind', 'owner_gov_code',
      'is_inherited_anchor', 'effective_from', 'effective_to', 'lifecycle_status']),
    ('chain', 'governance_object_ownership', array['id', 'supersedes_id']),
    ('scopes', 'governance_responsibility_scope', array['scope_code', 'default_owner_hint']),
    ('bodies', 'governance_registry', array['code'])
) as t(part, relation, columns)
left join pg_attribute a
  on a.attrelid = to_regclass(t.relation) and a.attname = any (t.columns) and a.attnum > 0 and not a.attisdropped
group by t.part, t.relation, t.columns

-- name: readOwners
-- The accountable owner of each subject at :at. Three fixed steps, nearest first: the subject's own rows, the
-- anchors of its collection, the rows of its class. The first step with an active row decides; two owners in
-- that step are a conflict. A row that a later one replaces (part chain: their ids) does not count as soon as
-- that one is in force.
-- nullable: owner
-- part chain: null::bigint, null::bigint
with claim (object_type, object_ref, scope, owner_gov_code, is_inherited_anchor, id, replaces) as not materialized (
  select o.object_type, o.object_ref, o.scope, o.owner_gov_code, o.is_inherited_anchor, {{chain}}
  from governance_object_ownership o
  where o.owner_kind = 'accountable'
    and o.lifecycle_status = 'active'
    and (o.effective_from is null or o.effective_from <= :at::timestamptz)
    and (o.effective_to is null or o.effective_to > :at::timestamptz)
),
subject as (
  select s.ordinal, s.object_type, s.object_ref, nullif(s.collection_name, '') as collection_name,
    nullif(s.object_class, '') as object_class, s.scope
  from unnest(:object_types::text[], :object_refs::text[], :collections::text[], :object_classes::text[], :scopes::text[])
    with ordinality as s(object_type, object_ref, collection_name, object_class, scope, ordinal)
),
step as (
  select s.ordinal, s.scope, c.distance, c.object_type, c.object_ref, c.through_anchor
  from subject s
  cross join lateral (
    values (1, s.object_type, s.object_ref, false), (2, 'collection', s.collection_name, true), (3, 'class', s.object_class, false)
  ) as c(distance, object_type, object_ref, through_anchor)
  where c.object_ref is not null
),
held as (
  select p.ordinal, p.distance, min(o.owner_gov_code) as owner, count(distinct o.owner_gov_code) as owners
  from step p
  join claim o on o.object_type = p.object_type and o.object_ref = p.object_ref and o.scope = p.scope
  where (o.is_inherited_anchor or not p.through_anchor)
    -- Only a later row replaces one, so a cycle replaces nothing.
    and not exists (
      select from claim n
      where n.object_type = o.object_type and n.object_ref = o.object_ref and n.scope = o.scope and n.replaces = o.id and n.id > o.id)
  group by p.ordinal, p.distance
),
deciding as (
  select distinct on (h.ordinal) h.ordinal, h.distance, h.owner, h.owners
  from held h
  order by h.ordinal, h.distance
)
select case when d.owners = 1 then d.owner end::text as owner, coalesce(d.owners > 1, false) as conflict,
  coalesce((array['object', 'collection', 'class'])[d.distance], 'none') as level
from subject s
left join deciding d using (ordinal)
order by s.ordinal

-- name: readScopeDefaults
select s.scope_code::text as scope, s.default_owner_hint::text as owner
from governance_responsibility_scope s
where s.scope_code = any (:scopes::text[]) and s.default_owner_hint is not null

-- name: readSourceRows
-- The body that is accountable at :at for each source in most scopes: for a collection by its anchors, else
-- by the rows of its class. No row: no body is.
with source as (
  select s.ordinal, s.collection_name, nullif(s.object_class, '') as object_class
  from unnest(:collections::text[], :object_classes::text[]) with ordinality as s(collection_name, object_class, ordinal)
),
held as (
  select s.ordinal, o.object_type = 'class' as by_class, o.owner_gov_code::text as owner, count(distinct o.scope) as scopes
  from source s
  join governance_object_ownership o
    on o.object_type = 'collection' and o.object_ref = s.collection_name and o.is_inherited_anchor
      or o.object_type = 'class' and o.object_ref = s.object_class
  where o.owner_kind = 'accountable' and o.lifecycle_status = 'active'
    and (o.effective_from is null or o.effective_from <= :at::timestamptz)
    and (o.effective_to is null or o.effective_to > :at::timestamptz)
  group by s.ordinal, o.object_type, o.owner_gov_code
)
select distinct on (h.ordinal) h.ordinal, h.owner
from held h
order by h.ordinal, h.by_class, h.scopes desc, h.owner collate "C"

-- name: readBodies
-- Those of :codes that are governing bodies of the host.
select g.code::text as code from governance_registry g where g.code::text = any (:codes::text[])

-- name: readReferenceRows
-- The subjects of active ownership rows of any kind: collections among :collections, classes among :classes,
-- and objects of those classes. The effective period does not matter, because the row refers to the subject
-- in any case.
select distinct o.object_type::text as object_type, o.object_ref::text as object_ref
from governance_object_ownership o
where o.lifecycle_status = 'active'
  and (o.object_type = 'collection' and o.object_ref in (select unnest(:collections::text[]))
    or o.object_type = 'class' and o.object_ref in (select unnest(:classes::text[]))
    or o.object_type in (select unnest(:classes::text[])))
