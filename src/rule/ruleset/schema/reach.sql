-- Adds the reach of laws without reach rows, from law_jurisdiction and the setting rule.reach_domains;
-- returns the number of rows. INVARIANT: it narrows the reach of a law only if it knows all its domains
-- and all scopes they name; every other law reaches everything. A law that already has a row is not
-- changed.
create function {{trust}}.gcos_seed_reach()
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  known_scopes text[];
  map jsonb := (select s.setting_value from {{trust}}.governance_setting s where s.setting_key = 'rule.reach_domains');
  written bigint;
begin
  if map is null or jsonb_typeof(map) <> 'object' or to_regclass('{{schema}}.law_jurisdiction') is null
    or (select count(*) from pg_attribute a where a.attrelid = to_regclass('{{schema}}.law_jurisdiction')
      and a.attname in ('law_code', 'domain') and a.attnum > 0 and not a.attisdropped) < 2 then
    return 0;
  end if;
  if exists (select from pg_attribute a where a.attrelid = to_regclass('{{schema}}.governance_responsibility_scope')
    and a.attname = 'scope_code' and a.attnum > 0 and not a.attisdropped) then
    known_scopes := array(select scope_code::text from {{schema}}.governance_responsibility_scope);
  end if;

  with jurisdiction as (
    select distinct j.law_code::text as law_code, map -> j.domain::text as target
    from {{schema}}.law_jurisdiction j
    where j.law_code is not null
  ),
  reach as (
    select j.law_code,
      j.target is not null and jsonb_typeof(j.target) = 'object'
        and (scope.code is null or scope.code = any (coalesce(known_scopes, '{}'))) as known,
      scope.code as scope, axis.family as axis_family, registry.name as source_registry
    from jurisdiction j
    -- Through arrays, for which the planner estimates ten elements each. For a JSON list it estimates a
    -- hundred, so three of them would give a million combinations.
    left join lateral unnest(array(select jsonb_array_elements_text(
      case when jsonb_typeof(j.target -> 'scopes') = 'array' then j.target -> 'scopes' end))) as scope(code) on true
    left join lateral unnest(array(select jsonb_array_elements_text(
      case when jsonb_typeof(j.target -> 'axis_families') = 'array' then j.target -> 'axis_families' end))) as axis(family) on true
    left join lateral unnest(array(select jsonb_array_elements_text(
      case when jsonb_typeof(j.target -> 'registries') = 'array' then j.target -> 'registries' end))) as registry(name) on true
  )
  insert into {{schema}}.governance_rule_reach (rule_kind, rule_code, scope, axis_family, source_registry, origin)
  select distinct 'law', r.law_code, r.scope, r.axis_family, r.source_registry, 'jurisdiction'
  from reach r
  where not exists (select from reach other where other.law_code = r.law_code and other.known is not true)
    and not exists (select from {{schema}}.governance_rule_reach own where own.rule_kind = 'law' and own.rule_code = r.law_code)
  on conflict do nothing;
  get diagnostics written = row_count;
  return written;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_seed_reach() from public;
