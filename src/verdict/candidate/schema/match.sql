-- The groups that numbered constraints reach: one row per number and group. Each parallel array is one
-- dimension of the constraints; null matches all values. A group of scope `all` matches every scope. A
-- backslash in a class pattern has no special meaning, as in profiles. Each dimension that a constraint
-- names is an equality, so that this is a hash join per combination of named dimensions. With a condition
-- over all four instead, 18,000 groups took 12 s.
create function {{trust}}.gcos_match_groups(p_nos integer[], p_scopes text[], p_axis_families text[], p_source_registries text[],
  p_class_patterns text[])
returns table (no integer, inventory_key text, scope text)
language plpgsql stable
rows 10000
set search_path = pg_catalog, pg_temp
-- The arrays have no statistics: the planner expects a few rows and would compare each with each.
set enable_nestloop = off
set jit = off
set plan_cache_mode = force_custom_plan
as $gcos_function$
#variable_conflict use_column
begin
  return query
  with given as materialized (
    select distinct g.no, g.scope, g.axis_family, g.source_registry, g.class_pattern
    from unnest(p_nos, p_scopes, p_axis_families, p_source_registries, p_class_patterns)
      as g(no, scope, axis_family, source_registry, class_pattern)
  ),
  pattern as (select distinct g.class_pattern as pattern from given g where g.class_pattern is not null),
  -- Only a pattern with wildcards is compared with every class.
  class as (
    select p.pattern, p.pattern as object_class from pattern p where p.pattern !~ '[%_]'
    union all
    select p.pattern, k.object_class
    from pattern p
    join (select distinct i.object_class from {{schema}}.governance_inventory i) k on k.object_class like p.pattern escape ''
    where p.pattern ~ '[%_]'
  ),
  wanted as (
    select g.no, s.scope, g.axis_family, g.source_registry, c.object_class
    from given g
    left join class c on c.pattern = g.class_pattern
    cross join lateral (select g.scope union select 'all' where g.scope is not null) as s
    where g.class_pattern is null or c.pattern is not null
  ),
  -- A dimension that is not named is '' on both sides; no value is.
  named as materialized (
    select w.no, coalesce(w.scope, '') as scope, coalesce(w.axis_family, '') as axis_family,
      coalesce(w.source_registry, '') as source_registry, coalesce(w.object_class, '') as object_class
    from wanted w
  ),
  place as materialized (
    select g.inventory_key, g.scope as own_scope, case when s.by_scope then g.scope else '' end as scope,
      case when s.by_axis then i.axis_family else '' end as axis_family,
      case when s.by_registry then i.source_registry else '' end as source_registry,
      case when s.by_class then i.object_class else '' end as object_class
    from {{schema}}.governance_group g
    join {{schema}}.governance_inventory i on i.inventory_key = g.inventory_key
    cross join (
      select distinct n.scope <> '' as by_scope, n.axis_family <> '' as by_axis, n.source_registry <> '' as by_registry,
        n.object_class <> '' as by_class
      from named n
    ) as s
  )
  select distinct n.no, p.inventory_key, p.own_scope
  from place p
  join named n using (scope, axis_family, source_registry, object_class);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_match_groups(integer[], text[], text[], text[], text[]) from public;
grant execute on function {{trust}}.gcos_match_groups(integer[], text[], text[], text[], text[]) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- The groups that the change between two stored rulesets reaches.
create function {{trust}}.gcos_reached_groups(p_from text, p_to text)
returns table (inventory_key text, scope text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  return query
  select m.inventory_key, m.scope
  from (
    select array_agg(1) as nos, array_agg(w.scope) as scopes, array_agg(w.axis_family) as families,
      array_agg(w.source_registry) as registries, array_agg(w.class_pattern) as patterns
    from {{trust}}.gcos_change_reach(p_from, p_to) w
  ) as r
  cross join lateral {{trust}}.gcos_match_groups(r.nos, r.scopes, r.families, r.registries, r.patterns) m;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_reached_groups(text, text) from public;

-- Whether a change of rules concerns risk write_high: it changes a profile of that risk, or a rule or a
-- setting of the gate that reaches a group which a profile gives that risk; or it changes who counts as a
-- person (a setting of approvals other than the policy). The first ruleset changes nothing that was in force.
create function {{trust}}.gcos_change_is_high_risk(p_from text, p_to text)
returns boolean
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  changed text[];
begin
  perform {{trust}}.gcos_require_owner();
  if p_to is null then
    return true;
  elsif p_from is null then
    return false;
  end if;
  with rule as (
    select r.ruleset_version as version, c.part ->> 'component' as component, e.row
    from {{trust}}.governance_ruleset r
    cross join lateral jsonb_array_elements(convert_from(r.canonical_bytes, 'UTF8')::jsonb -> 'components') as c(part)
    cross join lateral jsonb_array_elements(c.part -> 'rows') as e(row)
    where r.ruleset_version in (p_from, p_to) and c.part ->> 'component' in ('profiles', 'settings')
  )
  select array_agg(case when r.component = 'profiles' then 'risk ' || coalesce(r.row ->> 'risk_class', '') else r.row ->> 'setting_key' end)
  into changed
  from rule r
  where not exists (select from rule o where o.version <> r.version and o.component = r.component and o.row = r.row);
  return 'risk write_high' = any (changed)
    or exists (select from unnest(changed) as s(name) where s.name like 'approval.%' and s.name <> 'approval.policy')
    or exists (
    select
    from {{schema}}.governance_candidate_state c
    where c.row_state = 'active' and c.risk_class = 'write_high' and c.evidence ->> 'profile' is not null
      and (exists (select from unnest(changed) as s(name) where s.name like 'gate.%')
        or (c.inventory_key, c.scope) in (select r.inventory_key, r.scope from {{trust}}.gcos_reached_groups(p_from, p_to) r)));
end
$gcos_function$;
revoke all on function {{trust}}.gcos_change_is_high_risk(text, text) from public;
grant execute on function {{trust}}.gcos_change_is_high_risk(text, text) to {{trust_owner}};
