-- name: matchGroups
-- The groups that each constraint of :set_nos reaches; constraints with the same number count together. An
-- empty dimension ('') matches all values. Number -1 is the row for all together; -2 counts all groups: those
-- with a live row, and those in the active scopes :active_scopes; groups of other scopes cannot be carried.
with groups as materialized (
  select g.inventory_key, g.scope
  from governance_group g
  where g.scope = any (:active_scopes::text[]) or exists (
    select from governance_candidate_state c
    where c.inventory_key = g.inventory_key and c.scope = g.scope and c.row_state in ('active', 'retired'))
), given as (
  select array_agg(c.no) as nos, array_agg(nullif(c.scope, '')) as scopes, array_agg(nullif(c.axis_family, '')) as families,
    array_agg(nullif(c.source_registry, '')) as registries, array_agg(nullif(c.class_pattern, '')) as patterns
  from unnest(:set_nos::int4[], :scopes::text[], :axis_families::text[], :source_registries::text[], :class_patterns::text[])
    as c(no, scope, axis_family, source_registry, class_pattern)
), hit as materialized (
  select m.no, m.inventory_key, m.scope
  from given r
  cross join lateral gcos_match_groups(r.nos, r.scopes, r.families, r.registries, r.patterns) m
  join groups g on g.inventory_key = m.inventory_key and g.scope = m.scope
)
select h.no as set_no, count(*) as groups from hit h group by h.no
union all
select -1, count(*) from (select distinct h.inventory_key, h.scope from hit h) as every
union all
select -2, count(*) from groups
order by set_no
