-- name: matchGroups
-- The groups that each change of rules reaches. An empty dimension ('') of a constraint matches all values.
-- change_no -1 is the row for all changes together; -2 counts all groups: those with a live row, and those
-- in the active scopes :active_scopes; groups of other scopes cannot be carried. A backslash in a pattern
-- has no special meaning, as in profile patterns.
with wanted as (
  select c.change_no, nullif(c.scope, '') as scope, nullif(c.axis_family, '') as axis_family,
    nullif(c.source_registry, '') as source_registry, nullif(c.class_pattern, '') as class_pattern
  from unnest(:change_nos::int4[], :scopes::text[], :axis_families::text[], :source_registries::text[], :class_patterns::text[])
    as c(change_no, scope, axis_family, source_registry, class_pattern)
), groups as (
  select g.group_key, g.scope, i.axis_family, i.source_registry, i.object_class
  from governance_group g
  join governance_inventory i on i.inventory_key = g.inventory_key
  where g.scope = any (:active_scopes::text[]) or exists (
    select from governance_candidate_state c
    where c.inventory_key = g.inventory_key and c.scope = g.scope and c.row_state in ('active', 'retired'))
), hit as (
  select distinct w.change_no, g.group_key
  from wanted w
  join groups g on (w.scope is null or w.scope = g.scope or g.scope = 'all')
    and (w.axis_family is null or w.axis_family = g.axis_family)
    and (w.source_registry is null or w.source_registry = g.source_registry)
    and (w.class_pattern is null or g.object_class like w.class_pattern escape '')
)
select h.change_no, count(*) as groups from hit h group by h.change_no
union all
select -1, count(distinct h.group_key) from hit h
union all
select -2, count(*) from groups
order by change_no
