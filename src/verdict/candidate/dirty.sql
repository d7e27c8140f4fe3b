-- fragment: depends
c.row_state in ('active', 'retired')
    and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
    and (:scopes::text[] is null or c.depends_on -> 'rule_scopes' ?| :scopes::text[])
    and (:axis_families::text[] is null or c.depends_on -> 'axis_families' ?| :axis_families::text[])
    and (:collections::text[] is null or c.depends_on -> 'collections' ?| :collections::text[])
    and (:owners::text[] is null or c.depends_on -> 'owners' ?| :owners::text[])
    and (:class_patterns::text[] is null or exists (
      select from jsonb_array_elements_text(c.depends_on -> 'classes') as k(object_class)
      join unnest(:class_patterns::text[]) as p(pattern) on k.object_class = p.pattern or k.object_class like p.pattern escape ''))

-- name: mark
-- Marks the groups that depend on any of the given values, for every given kind (null: the kind is not
-- compared). A row that is already dirty keeps its time. It keeps its first reason, except that a more
-- specific reason replaces one that only reports an inventory change.
-- nullable: :inventory_keys, :scopes, :axis_families, :collections, :owners, :class_patterns
with hit as (
  select c.row_id, c.group_key, c.inventory_key, c.scope, c.dirty,
    c.dirty and gcos_only_moved(c.dirty_reason) and not gcos_only_moved(:reason::text) as says_more
  from governance_candidate_state c
  where {{depends}}
),
groups as (
  update governance_candidate_state c
  set dirty = true, dirty_reason = :reason::text, dirtied_at = coalesce(c.dirtied_at, :at::timestamptz), updated_at = :at::timestamptz
  from (select h.row_id, h.dirty from hit h where not h.dirty or h.says_more order by h.row_id) as h
  where c.row_id = h.row_id
  returning c.row_id, h.dirty as was_dirty
)
select h.group_key, h.inventory_key, h.scope, coalesce(not g.was_dirty, false) as fresh
from hit h
left join groups g on g.row_id = h.row_id
order by h.inventory_key, h.scope

-- name: markObjects
-- Marks at most :limit objects with a row_id above :after, lowest ids first: the objects of the groups
-- :hit_keys, :hit_scopes, and objects that depend on the given values themselves. Returns how many were
-- marked, and the last id.
-- nullable: last_id, :inventory_keys, :scopes, :axis_families, :collections, :owners, :class_patterns
with picked as (
  select c.row_id
  from governance_candidate_object c
  where c.row_state in ('active', 'retired') and c.row_id > :after::bigint
    and (not c.dirty or gcos_only_moved(c.dirty_reason) and not gcos_only_moved(:reason::text))
    and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
    and ((c.inventory_key, c.scope) in (select h.inventory_key, h.scope from unnest(:hit_keys::text[], :hit_scopes::text[]) as h(inventory_key, scope))
      or (:scopes::text[] is null or c.depends_on -> 'rule_scopes' ?| :scopes::text[])
        and (:axis_families::text[] is null or c.depends_on -> 'axis_families' ?| :axis_families::text[])
        and (:collections::text[] is null or c.depends_on -> 'collections' ?| :collections::text[])
        and (:owners::text[] is null or c.depends_on -> 'owners' ?| :owners::text[])
        and (:class_patterns::text[] is null or exists (
          select from jsonb_array_elements_text(c.depends_on -> 'classes') as k(object_class)
          join unnest(:class_patterns::text[]) as p(pattern) on k.object_class = p.pattern or k.object_class like p.pattern escape '')))
  order by c.row_id
  limit :limit::bigint
),
marked as (
  update governance_candidate_object c
  set dirty = true, dirty_reason = :reason::text, dirtied_at = coalesce(c.dirtied_at, :at::timestamptz), updated_at = :at::timestamptz
  from picked p
  where c.row_id = p.row_id
  returning c.row_id
)
select count(*) as objects, max(m.row_id) as last_id
from marked m

-- name: markKeys
-- Marks the rows of the objects :collections, :codes, under the same conditions. A row that this transaction
-- has decided at :at is not marked: only its coverage is outstanding, which the row says, and the mark of its
-- group has it evaluated. Returns the number of rows marked.
with named as materialized (
  select distinct gcos_object_key(k.collection_name, k.code) as object_key
  from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
),
marked as (
  update governance_candidate_object c
  set dirty = true, dirty_reason = :reason::text, dirtied_at = coalesce(c.dirtied_at, :at::timestamptz), updated_at = :at::timestamptz
  from named n
  where c.object_key = n.object_key and c.row_state in ('active', 'retired')
    and (not c.dirty or gcos_only_moved(c.dirty_reason) and not gcos_only_moved(:reason::text))
    and (c.scan_time < :at::timestamptz or coalesce(c.coverage_outcome, 'not_evaluated') <> 'not_evaluated')
  returning c.row_id
)
select count(*) as objects
from marked m

-- name: markThese
-- Marks the rows :row_ids, each with its reason in :reasons. A row that is already dirty keeps its time,
-- and its reason unless that only reports an inventory change. Returns the number of rows marked.
with wanted as materialized (
  select w.row_id, min(w.reason) as reason
  from unnest(:row_ids::bigint[], :reasons::text[]) as w(row_id, reason)
  group by w.row_id
),
groups as (
  update governance_candidate_state c
  set dirty = true, dirty_reason = w.reason, dirtied_at = coalesce(c.dirtied_at, :at::timestamptz), updated_at = :at::timestamptz
  from wanted w
  where c.row_id = w.row_id and c.row_state = 'active' and (not c.dirty or gcos_only_moved(c.dirty_reason))
  returning c.row_id
),
objects as (
  update governance_candidate_object c
  set dirty = true, dirty_reason = w.reason, dirtied_at = coalesce(c.dirtied_at, :at::timestamptz), updated_at = :at::timestamptz
  from wanted w
  where c.row_id = w.row_id and c.row_state = 'active' and (not c.dirty or gcos_only_moved(c.dirty_reason))
  returning c.row_id
)
select (select count(*) from groups) + (select count(*) from objects) as marked

-- name: dependents
-- The live groups that depend on any of the given values, for every given kind (null: the kind is not
-- compared).
-- nullable: :inventory_keys, :scopes, :axis_families, :collections, :owners, :class_patterns
select c.group_key, c.inventory_key, c.scope
from governance_candidate_state c
where {{depends}}
order by c.inventory_key, c.scope
