-- name: findTables
-- For each of these tables: whether it exists, has all columns and is readable.
-- nullable: usable
select t.relation,
  count(a.attname) = cardinality(t.columns) and bool_and(has_table_privilege(to_regclass(t.relation), 'select')) as usable
from (
  values
    ('governance_object_ownership', array['object_type', 'object_ref', 'scope', 'owner_kind', 'owner_gov_code',
      'is_inherited_anchor', 'effective_from', 'effective_to', 'lifecycle_status']),
    ('governance_responsibility_scope', array['scope_code', 'default_owner_hint']),
    ('governance_registry', array['code'])
) as t(relation, columns)
left join pg_attribute a
  on a.attrelid = to_regclass(t.relation) and a.attname = any (t.columns) and a.attnum > 0 and not a.attisdropped
group by t.relation, t.columns

-- name: readOwners
-- The accountable owner of each subject at :at. Three fixed steps, nearest first: the subject's own rows, the
-- anchors of its collection, the rows of its class. The first step with an active row decides; two owners in
-- that step are a conflict.
-- nullable: owner
with subject as (
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
  join governance_object_ownership o
    on o.object_type = p.object_type and o.object_ref = p.object_ref and o.scope = p.scope
  where o.owner_kind = 'accountable'
    and o.lifecycle_status = 'active'
    and (o.is_inherited_anchor or not p.through_anchor)
    and (o.effective_from is null or o.effective_from <= :at::timestamptz)
    and (o.effective_to is null or o.effective_to > :at::timestamptz)
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

-- name: readListed
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
