-- Exceptions in force at a point in time.
create function {{trust}}.gcos_gate_exceptions(p_at timestamptz)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return array(select x.exception_code from {{trust}}.governance_exception_in_force(p_at) x);
end
$gcos_function$;

-- Whether an exception that links rest on is not in force.
create function {{trust}}.gcos_gate_lapsed(p_links jsonb, p_holding text[])
returns boolean
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return exists (
    select from jsonb_each(p_links) as l(link, held)
    where l.held ? 'exception' and l.held ->> 'exception' <> all (p_holding));
end
$gcos_function$;

-- Every row that can answer, of objects and of groups, with the reasons against it at a stage and a point in
-- time, for an action: as codes, and as JSON with the facts of the sentences. p_version is the active
-- ruleset. One statement without side effects: PostgreSQL inlines it into the calling query, which selects
-- the rows.
create function {{trust}}.gcos_gate_units(p_stage text, p_action text, p_version text, p_at timestamptz)
returns table (
  kind text, object_key text, entity_code text, inventory_key text, scope text, source_snapshot_ref bigint, ruleset_version text,
  scan_time timestamptz, stale_after timestamptz, risk_class text, codes text[], reason jsonb)
language sql stable rows 1000
as $gcos_function$
  select c.kind, c.object_key, c.entity_code, c.inventory_key, c.scope, c.source_snapshot_ref, c.ruleset_version, c.scan_time, c.stale_after, c.risk_class, k.codes,
    case when cardinality(k.codes) > 0 then jsonb_strip_nulls(jsonb_build_object('scope', c.scope, 'codes', k.codes, 'by', c.kind,
      'verdict', c.candidate_verdict, 'line', c.verdict_line, 'stale_after', c.stale_after, 'dirty_reason', c.dirty_reason,
      'dirtied_at', c.dirtied_at, 'snapshot', c.source_snapshot_ref::text, 'ruleset', c.ruleset_version,
      'input_state', c.input_quality_state, 'owner', c.owner_scope,
      'lifecycle', case when 'retired' = any (k.codes) then c.evidence ->> 'lifecycle_status' end,
      'links', case when k.codes && array['orphan', 'exception_lapsed', 'coverage_not_scanned'] then c.coverage_evidence -> 'links' end)) end
  from (
    select 'object' as kind, o.object_key, o.entity_code, o.inventory_key, o.row_state, o.scope, o.source_snapshot_ref, o.ruleset_version,
      o.scan_time, o.risk_class, o.candidate_verdict, o.verdict_line, o.recompute_status, o.stale_after, o.dirty, o.dirty_reason, o.dirtied_at,
      o.input_quality_state, o.owner_scope, o.evidence, o.coverage_required, o.coverage_scan_ref, o.coverage_outcome, o.coverage_evidence
    from {{schema}}.governance_candidate_object o
    union all
    select 'group', null, null, g.inventory_key, g.row_state, g.scope, g.source_snapshot_ref, g.ruleset_version,
      g.scan_time, g.risk_class, g.candidate_verdict, g.verdict_line, g.recompute_status, g.stale_after, g.dirty, g.dirty_reason, g.dirtied_at,
      g.input_quality_state, g.owner_scope, g.evidence, g.coverage_required, g.coverage_scan_ref, g.coverage_outcome, g.coverage_evidence
    from {{schema}}.governance_candidate_state g
  ) as c
  -- Fenced (offset 0): lookups run once, and the functions below are still inlined.
  cross join lateral (
    select case when c.ruleset_version = p_version then 'active' else (select r.status from {{trust}}.governance_ruleset r where r.ruleset_version = c.ruleset_version) end as ruleset_status,
      exists (select from {{schema}}.evolution_snapshots s where s.id = c.source_snapshot_ref) as snapshot_there,
      case when c.coverage_outcome = 'exception' then
        {{trust}}.gcos_gate_lapsed(c.coverage_evidence -> 'links', (select {{trust}}.gcos_gate_exceptions(p_at))) end as lapsed
    offset 0
  ) as f
  cross join lateral (
    -- Uses the same predicate as governance_validity(), which would read each row again.
    select {{trust}}.gcos_gate_codes(p_stage, c.candidate_verdict,
      {{trust}}.gcos_validity_reason(f.ruleset_status, f.snapshot_there, c.recompute_status, c.dirty, c.stale_after, p_at), f.ruleset_status,
      c.coverage_required, c.coverage_scan_ref is not null, c.coverage_outcome, f.lapsed, c.owner_scope, c.evidence ->> 'profile',
      c.evidence @> '{"terminal": true}', c.risk_class, p_action) as codes
    offset 0
  ) as k
  where c.row_state = 'active'
$gcos_function$;

-- The combined content of the rows that answer for an object or a group, over all scopes: in each scope the
-- object's own row, else that of the group, if one is given. `reasons` are those of the rows, ordered by
-- scope.
create function {{trust}}.gcos_gate_rows(
  p_object_key text, p_inventory_key text, p_stage text, p_action text, p_version text, p_scopes text[], p_at timestamptz)
returns table (
  inventory_key text, scopes text[], snapshots bigint[], rulesets text[], scans timestamptz[], high_risk boolean, reasons jsonb, valid_until timestamptz)
language sql stable rows 1
as $gcos_function$
  select min(u.inventory_key), array_agg(u.scope), array_agg(u.source_snapshot_ref), array_agg(u.ruleset_version), array_agg(u.scan_time),
    bool_or({{trust}}.gcos_gate_high_risk(u.risk_class, p_action)), jsonb_agg(u.reason order by u.scope) filter (where u.reason is not null),
    min(u.stale_after)
  from {{trust}}.gcos_gate_units(p_stage, p_action, p_version, p_at) u
  where (u.scope = any (p_scopes)) is true
    and (u.kind = 'object' and u.object_key = p_object_key
      or u.kind = 'group' and u.inventory_key = p_inventory_key and not exists (
        select from {{schema}}.governance_candidate_object o
        where o.object_key = p_object_key and o.scope = u.scope and o.row_state = 'active'))
$gcos_function$;

-- The reasons against single objects of a group whose objects count one by one, and whether one of these has
-- a high risk. The group's rows summarize the coverage of its objects; this checks whether it is still valid
-- for each of them.
create function {{trust}}.gcos_gate_members(p_inventory_key text, p_stage text, p_version text, p_scopes text[], p_at timestamptz)
returns table (reasons jsonb, high_risk boolean)
language plpgsql stable rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return query
  select coalesce(jsonb_agg(jsonb_build_object('scope', m.scope, 'codes', jsonb_build_array(m.code), 'by', 'members', 'objects', m.objects,
    'sample', m.sample) order by m.scope, m.code), '[]'), coalesce(bool_or(m.high_risk), false)
  from (
    select u.scope, k.code, count(*) as objects, to_jsonb((array_agg(u.entity_code order by u.entity_code))[1:3]) as sample,
      bool_or({{trust}}.gcos_gate_high_risk(u.risk_class, 'execute')) as high_risk
    from {{schema}}.governance_inventory i
    join {{trust}}.gcos_gate_units(p_stage, 'execute', p_version, p_at) u on u.kind = 'object' and u.inventory_key = i.inventory_key
    cross join unnest(u.codes) as k(code)
    where i.inventory_key = p_inventory_key and not i.inherits and u.scope = any (p_scopes)
    group by u.scope, k.code
  ) as m;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_gate_exceptions(timestamptz), {{trust}}.gcos_gate_lapsed(jsonb, text[]), {{trust}}.gcos_gate_units(text, text, text, timestamptz),
  {{trust}}.gcos_gate_rows(text, text, text, text, text, text[], timestamptz), {{trust}}.gcos_gate_members(text, text, text, text[], timestamptz) from public;
