-- The rules in the tables, read by the database itself: what is drafted and activated never comes from a
-- caller. INVARIANT: the text equals, byte for byte, what readContent and encodeContent of the host module
-- give.

-- A JSON value as canonical text (RFC 8785): keys by UTF-16 code units, numbers beyond 2^53 and fractions as
-- {"$decimal": "…"} in one spelling, a leading $ of a key doubled.
create function {{trust}}.gcos_exact_json(p_value jsonb, p_depth integer)
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  spelled text;
  digits text;
begin
  if p_depth > 200 then
    raise exception 'a value of the rules is nested too deeply' using errcode = 'invalid_parameter_value';
  end if;
  case jsonb_typeof(p_value)
    when 'object' then
      return '{' || coalesce((
        select string_agg(to_json(case when e.key like '$%' then '$' || e.key else e.key end)::text || ':'
            || {{trust}}.gcos_exact_json(e.value, p_depth + 1), ','
          -- The bytes EE and EF start U+E000 to U+FFFF, which UTF-16 orders after all characters beyond.
          order by translate(convert_from(convert_to(case when e.key like '$%' then '$' || e.key else e.key end, 'UTF8'), 'LATIN1'),
            chr(238) || chr(239), chr(254) || chr(255)) collate "C")
        from jsonb_each(p_value) e), '') || '}';
    when 'array' then
      return '[' || coalesce((
        select string_agg({{trust}}.gcos_exact_json(e.value, p_depth + 1), ',' order by e.place)
        from jsonb_array_elements(p_value) with ordinality as e(value, place)), '') || ']';
    when 'number' then
      spelled := trim_scale(p_value::numeric)::text;
      if spelled !~ E'\\.' and abs(p_value::numeric) <= 9007199254740991 then
        return spelled;
      end if;
      if length(ltrim(spelled, '-')) > 64 then
        digits := ltrim(replace(ltrim(spelled, '-'), '.', ''), '0');
        spelled := case when spelled like '-%' then '-' else '' end || rtrim(digits, '0') || 'e'
          || case when spelled ~ E'\\.' then -scale(trim_scale(p_value::numeric)) else length(digits) - length(rtrim(digits, '0')) end;
      end if;
      return '{"$decimal":"' || spelled || '"}';
    else
      return p_value::text;
  end case;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_exact_json(jsonb, integer) from public;

-- Whether each rule table of the host is present, absent, or unreadable because it has another shape than the
-- host contract demands.
create function {{trust}}.gcos_rule_tables()
returns table (relation text, state text)
language plpgsql stable
rows 6
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  return query
  with recursive contract (relation, columns) as (
    values
      ('measurement_registry', 'measurement_id:text measurement_name:text law_code:text method:integer source_query:text target_query:text comparison:text severity:text enabled:boolean auto_generated:boolean last_run_at:timestamptz last_result:any last_evidence:any'),
      ('coverage_profile', 'profile_code:text class_pattern:text risk_class:text ttl:interval class_0:boolean inherits:boolean primary_axis_family:text required_links:json status:text'),
      ('axis_registry', 'axis_code:text axis_family:text object_class:text owner_gov_code:text status:text'),
      ('pivot_definitions', 'code:text group_spec:json'),
      ('law_jurisdiction', 'law_code:text domain:text coverage_type:text'),
      ('governance_responsibility_scope', 'scope_code:text default_owner_hint:text status:text')
  ),
  wanted as (
    select c.relation, split_part(w.item, ':', 1) as column_name, split_part(w.item, ':', 2) as family
    from contract c
    cross join lateral unnest(string_to_array(c.columns, ' ')) as w(item)
  ),
  found as (
    select c.relation, t.oid
    from contract c
    join pg_class t on t.relname::text = c.relation and t.relnamespace = to_regnamespace('{{schema}}')
      and t.relkind in ('r', 'p', 'v', 'm', 'f')
  ),
  -- A domain, also a nested one, counts as its base type.
  base (relation, column_name, type_oid) as (
    select f.relation, a.attname::text, a.atttypid
    from found f
    join pg_attribute a on a.attrelid = f.oid and a.attnum > 0 and not a.attisdropped
    union all
    select b.relation, b.column_name, t.typbasetype from base b join pg_type t on t.oid = b.type_oid and t.typtype = 'd'
  ),
  typed as (
    select b.relation, b.column_name, case
      when t.typname in ('int2', 'int4', 'int8', 'numeric') then 'integer'
      when t.typname in ('text', 'varchar', 'bpchar', 'name', 'citext') or t.typtype = 'e' then 'text'
      when t.typname = 'bool' then 'boolean'
      when t.typname in ('timestamptz', 'timestamp', 'uuid', 'interval') then t.typname::text
      when t.typname in ('json', 'jsonb') then 'json'
      else 'other' end as family
    from base b
    join pg_type t on t.oid = b.type_oid and t.typtype <> 'd'
  )
  select c.relation, case
    when f.relation is null then 'absent'
    when exists (
      select from wanted w
      left join typed t on t.relation = w.relation and t.column_name = w.column_name
      where w.relation = c.relation and (t.column_name is null or (w.family <> 'any' and w.family <> t.family))) then 'unreadable'
    else 'present' end
  from contract c
  left join found f on f.relation = c.relation;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_rule_tables() from public;

-- The rules in the tables, one canonical text per component, in hash order. Stable: all tables are read in
-- one snapshot. Rule queries are read as text and never executed.
create function {{trust}}.gcos_rule_components()
returns text[]
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  as_owner constant boolean := {{trust}}.gcos_require_owner();
  states jsonb := (select jsonb_object_agg(t.relation, t.state) from {{trust}}.gcos_rule_tables() t);
  chosen jsonb := coalesce((select s.setting_value from {{trust}}.governance_setting s where s.setting_key = 'ruleset.settings'), '{}');
  parts text[] := '{}';
  source record;
  found_rows text;
begin
  if jsonb_path_exists(chosen, '$.keyvalue() ? (!(@.key == "prefixes" || @.key == "keys"))')
    or jsonb_path_exists(chosen, 'strict $.* ? (@.type() != "array")', '{}', true)
    or jsonb_path_exists(chosen, '$.*[*] ? (@.type() != "string" || @ == "")') or jsonb_typeof(chosen) <> 'object' then
    raise exception 'the setting ruleset.settings has the wrong form' using errcode = 'invalid_parameter_value';
  end if;
  for source in
    select c.component, coalesce(states ->> c.relation, 'present') as state
    from (values (1, 'detectors', 'measurement_registry'), (2, 'profiles', 'coverage_profile'), (3, 'axes', 'axis_registry'),
      (4, 'pivots', 'pivot_definitions'), (5, 'jurisdictions', 'law_jurisdiction'), (6, 'scopes', 'governance_responsibility_scope'),
      (7, 'reach', ''), (8, 'settings', '')) as c(place, component, relation)
    order by c.place
  loop
    if source.state <> 'present' then
      parts := parts || format('{"component":"%s","state":"%s"}', source.component, source.state);
      continue;
    end if;
    -- The columns of each row in the order of their names.
    case source.component
      when 'detectors' then
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select coalesce(r.measurement_id, 'null') as key, row_to_json(r)::text as row
          from (
            select m.comparison::text as comparison, m.law_code::text as law_code, m.measurement_id::text as measurement_id,
              m.method::text as method, m.severity::text as severity, m.source_query::text as source_query,
              m.target_query::text as target_query
            from {{schema}}.measurement_registry m
            where m.enabled
          ) r
        ) t;
      when 'profiles' then
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select coalesce(r.profile_code, 'null') as key, row_to_json(r)::text as row
          from (
            select p.class_0, p.class_pattern::text as class_pattern, p.inherits, p.primary_axis_family::text as primary_axis_family,
              p.profile_code::text as profile_code,
              {{trust}}.gcos_exact_json(p.required_links::jsonb, 5)::json as required_links, p.risk_class::text as risk_class,
              case when isfinite(p.ttl) then
                'P' || (extract(year from p.ttl) * 12 + extract(month from p.ttl))::bigint || 'M' || extract(day from p.ttl)::bigint || 'DT'
                  || trim_scale(extract(hour from p.ttl) * 3600 + extract(minute from p.ttl) * 60 + extract(second from p.ttl)) || 'S'
                else p.ttl::text end as ttl
            from {{schema}}.coverage_profile p
            where p.status::text = 'active'
          ) r
        ) t;
      when 'axes' then
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select coalesce(r.axis_code, 'null') as key, row_to_json(r)::text as row
          from (
            select a.axis_code::text as axis_code, a.axis_family::text as axis_family, a.object_class::text as object_class
            from {{schema}}.axis_registry a
            where a.status::text = 'active'
          ) r
        ) t;
      when 'pivots' then
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select coalesce(r.code, 'null') as key, row_to_json(r)::text as row
          from (
            select d.code::text as code, {{trust}}.gcos_exact_json(
                case when jsonb_typeof(d.group_spec::jsonb -> 'dims') = 'array' then d.group_spec::jsonb -> 'dims' else '[]' end, 5)::json as dims,
              j.fields ->> 'object_class' as object_class, j.fields ->> 'source_collection' as source_collection
            from {{schema}}.pivot_definitions d
            cross join lateral (select to_jsonb(d) as fields offset 0) as j
            where coalesce(j.fields ->> 'status', 'active') = 'active'
          ) r
        ) t;
      when 'jurisdictions' then
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select to_json(array[r.law_code, r.domain])::text as key, row_to_json(r)::text as row
          from (
            select l.coverage_type::text as coverage_type, l.domain::text as domain, l.law_code::text as law_code
            from {{schema}}.law_jurisdiction l
          ) r
        ) t;
      when 'scopes' then
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select coalesce(r.scope_code, 'null') as key, row_to_json(r)::text as row
          from (
            select s.scope_code::text as scope_code
            from {{schema}}.governance_responsibility_scope s
            where s.status::text = 'active'
          ) r
        ) t;
      when 'reach' then
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select to_json(array[r.rule_kind, r.rule_code, r.scope, r.axis_family, r.source_registry])::text as key, row_to_json(r)::text as row
          from (
            select g.axis_family, g.rule_code, g.rule_kind, g.scope, g.source_registry
            from {{schema}}.governance_rule_reach g
          ) r
        ) t;
      else
        select string_agg(t.row, ',' order by t.key collate "C", t.row collate "C") into found_rows
        from (
          select r.setting_key as key, row_to_json(r)::text as row
          from (
            select s.setting_key, {{trust}}.gcos_exact_json(s.setting_value, 5)::json as setting_value
            from {{trust}}.governance_setting s
            where coalesce(chosen -> 'keys', '[]') ? s.setting_key
              or exists (
                select from unnest(array['verdict.', 'lifecycle.', 'gate.', 'input.', 'approval.', 'exception.']
                  || array(select jsonb_array_elements_text(chosen -> 'prefixes'))) as prefix
                where starts_with(s.setting_key, prefix))
          ) r
        ) t;
    end case;
    parts := parts || format('{"component":"%s","rows":[%s],"state":"present"}', source.component, coalesce(found_rows, ''));
  end loop;
  return parts;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_rule_components() from public;
grant execute on function {{trust}}.gcos_rule_components() to {{trust_owner}};
