-- The reach of the difference between two stored rulesets: one row per constraint, null means any, and a row
-- of nulls means everything. The old and the new reach of every changed rule, so that a removed or narrowed
-- rule also counts where it used to apply. INVARIANT: where the reach cannot be derived, it is everything.
create function {{trust}}.gcos_change_reach(p_from text, p_to text)
returns table (scope text, axis_family text, source_registry text, class_pattern text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  -- Bytes that do not have their hash say nothing about the rules that were in force.
  if (select count(*) from {{trust}}.governance_ruleset r
      where r.ruleset_version in (p_from, p_to) and r.content_hash = encode(sha256(E'\\x67636f732d72756c6573657400'::bytea || r.canonical_bytes), 'hex')
        and p_from <> p_to) is distinct from 2 then
    return query select null::text, null::text, null::text, null::text;
    return;
  end if;
  return query
  with part as materialized (
    select case r.ruleset_version when p_from then 'before' else 'after' end as side, c.part ->> 'component' as component,
      coalesce(c.part ->> 'state', 'absent') as state, c.part
    from {{trust}}.governance_ruleset r
    cross join lateral jsonb_array_elements(convert_from(r.canonical_bytes, 'UTF8')::jsonb -> 'components') as c(part)
    where r.ruleset_version in (p_from, p_to)
  ),
  keyed as materialized (
    select p.side, p.component, r.row, r.place,
      -- As keyOf in TypeScript writes it.
      case p.component
        when 'detectors' then coalesce(r.row ->> 'measurement_id', 'null')
        when 'profiles' then coalesce(r.row ->> 'profile_code', 'null')
        when 'axes' then coalesce(r.row ->> 'axis_code', 'null')
        when 'pivots' then coalesce(r.row ->> 'code', 'null')
        when 'jurisdictions' then jsonb_build_array(r.row -> 'law_code', r.row -> 'domain')::text
        when 'scopes' then coalesce(r.row ->> 'scope_code', 'null')
        when 'reach' then jsonb_build_array(r.row -> 'rule_kind', r.row -> 'rule_code', r.row -> 'scope', r.row -> 'axis_family',
          r.row -> 'source_registry')::text
        when 'settings' then coalesce(r.row ->> 'setting_key', 'null')
        else r.row::text end as key
    from part p
    cross join lateral jsonb_array_elements(p.part -> 'rows') with ordinality as r(row, place)
    where p.state = 'present'
  ),
  -- Keys of a host may be ambiguous.
  numbered as (
    select k.side, k.component, k.key, k.row, row_number() over (partition by k.side, k.component, k.key order by k.place) as n
    from keyed k
  ),
  changed as materialized (
    select coalesce(b.component, a.component) as component, coalesce(b.key, a.key) as key, coalesce(b.n, a.n) as n,
      coalesce(a.row, b.row) as row, b.row is not null as was, a.row is not null as is
    from (select x.component, x.key, x.n, x.row from numbered x where x.side = 'before') b
    full join (select x.component, x.key, x.n, x.row from numbered x where x.side = 'after') a
      on a.component = b.component and a.key = b.key and a.n = b.n
    where a.row is distinct from b.row
  ),
  detector as (
    select k.side, k.key as code, k.row ->> 'law_code' as law from keyed k where k.component = 'detectors'
  ),
  mapped as (
    select k.side, k.row ->> 'rule_kind' as kind, k.row ->> 'rule_code' as code, nullif(k.row ->> 'scope', '') as scope,
      nullif(k.row ->> 'axis_family', '') as axis_family, nullif(k.row ->> 'source_registry', '') as source_registry
    from keyed k
    where k.component = 'reach'
  ),
  -- The rules whose reach decides, on each side; a detector that was added or removed has one side.
  rule as (
    select distinct s.side, r.kind, r.code, d.law
    from changed c
    cross join lateral (
      select case when c.component = 'detectors' then 'measurement' when c.component = 'jurisdictions' then 'law'
          when c.row ->> 'rule_kind' = 'law' then 'law' else 'measurement' end as kind,
        coalesce(c.row ->> case c.component when 'detectors' then 'measurement_id' when 'jurisdictions' then 'law_code' else 'rule_code' end,
          'null') as code
    ) as r
    cross join (values ('before'), ('after')) as s(side)
    left join detector d on r.kind = 'measurement' and d.side = s.side and d.code = r.code
    where c.component in ('detectors', 'jurisdictions', 'reach')
      and (c.component <> 'detectors' or case s.side when 'before' then c.was else c.is end)
  ),
  -- The rows of the rule itself, otherwise those of its law; a rule without rows reaches everything.
  ruled as (
    select m.scope, m.axis_family, m.source_registry
    from rule r
    left join lateral (
      select own.scope, own.axis_family, own.source_registry
      from mapped own
      where own.side = r.side and own.kind = r.kind and own.code = r.code
      union all
      select law.scope, law.axis_family, law.source_registry
      from mapped law
      where r.kind = 'measurement' and law.side = r.side and law.kind = 'law' and law.code = r.law
        and not exists (select from mapped own where own.side = r.side and own.kind = r.kind and own.code = r.code)
    ) as m on true
  )
  select r.scope, r.axis_family, r.source_registry, null::text from ruled r
  union
  select c.key, null, null, null from changed c where c.component = 'scopes' and c.n = 1
  union
  -- All rows with the key of a changed row, on both sides. An axis can become, or stop being, the first of
  -- its class: every group of the class may change. A pivot that names neither a class nor a collection
  -- gives no class its axis family.
  select null, null, null, nullif(k.row ->> case c.component when 'profiles' then 'class_pattern' else 'object_class' end, '')
  from changed c
  join keyed k on k.component = c.component and k.key = c.key
  where c.component in ('profiles', 'axes', 'pivots') and c.n = 1
    and not (c.component = 'pivots' and k.row ->> 'object_class' is null and k.row ->> 'source_collection' is null)
  union
  -- Settings of the gate, of approvals and of exceptions to come decide no verdict. Everything else is
  -- unknown here.
  select null, null, null, null
  from changed c
  where (c.component in ('profiles', 'axes', 'pivots', 'scopes') and c.n > 1)
    or (c.component = 'settings' and (c.n > 1 or (c.key like 'gate.%' or c.key like 'approval.%' or c.key like 'exception.%') is not true))
    or c.component not in ('detectors', 'profiles', 'axes', 'pivots', 'jurisdictions', 'scopes', 'reach', 'settings')
  union
  -- A component that became present, absent or unreadable.
  select null, null, null, null
  from (select p.component, p.state from part p where p.side = 'before') b
  full join (select p.component, p.state from part p where p.side = 'after') a on a.component = b.component
  where coalesce(a.state, 'absent') <> coalesce(b.state, 'absent');
end
$gcos_function$;
revoke all on function {{trust}}.gcos_change_reach(text, text) from public;
