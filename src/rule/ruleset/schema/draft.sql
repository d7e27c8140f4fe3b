-- The owner of rulesets: the body in the setting, unless the host lists its bodies and this one is not
-- active.
create function {{trust}}.gcos_ruleset_owner()
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  as_owner constant boolean := {{trust}}.gcos_require_owner();
  body text := (select s.setting_value #>> '{}' from {{trust}}.governance_setting s where s.setting_key = 'ruleset.owner');
begin
  if (select count(*) from pg_attribute a where a.attrelid = to_regclass('{{schema}}.governance_registry')
      and a.attname in ('code', 'status') and a.attnum > 0 and not a.attisdropped) < 2 then
    return nullif(body, '');
  end if;
  return (select body where exists (
    select from {{schema}}.governance_registry g where g.code::text = body and g.status::text = 'active'));
end
$gcos_function$;
revoke all on function {{trust}}.gcos_ruleset_owner() from public;
grant execute on function {{trust}}.gcos_ruleset_owner() to {{trust_owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

set local role {{trust_owner}};
-- What a content holds, for people: the source table and row count of each part, the laws that the rules
-- serve, the absent parts, and the rules that reach everything because they have no reach rows.
create function {{trust}}.gcos_describe_rules(p_components text[])
returns jsonb
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  sources constant jsonb := '{"detectors": "measurement_registry", "profiles": "coverage_profile", "axes": "axis_registry",
    "pivots": "pivot_definitions", "jurisdictions": "law_jurisdiction", "scopes": "governance_responsibility_scope",
    "reach": "governance_rule_reach", "settings": "governance_setting"}';
begin
  return (
    with part as (
      select p.place, p.text, p.text::jsonb as content from unnest(p_components) with ordinality as p(text, place)
    ),
    detector as (
      select coalesce(r.row ->> 'measurement_id', 'null') as code, r.row ->> 'law_code' as law
      from part p
      cross join lateral jsonb_array_elements(p.content -> 'rows') as r(row)
      where p.content ->> 'component' = 'detectors'
    ),
    reach as (
      select distinct r.row ->> 'rule_kind' as kind, r.row ->> 'rule_code' as code
      from part p
      cross join lateral jsonb_array_elements(p.content -> 'rows') as r(row)
      where p.content ->> 'component' = 'reach'
    )
    select jsonb_build_object(
      'parts', (
        select jsonb_agg(jsonb_build_object('component', p.content -> 'component', 'state', p.content -> 'state',
          'count', coalesce(jsonb_array_length(p.content -> 'rows'), 0), 'source', sources -> (p.content ->> 'component'),
          -- The prefix 'gcos-ruleset-component' and a zero byte.
          'hash', encode(sha256(E'\\x67636f732d72756c657365742d636f6d706f6e656e7400'::bytea || convert_to(p.text, 'UTF8')), 'hex'))
          order by p.place)
        from part p),
      'measurement_ids', coalesce((select jsonb_agg(distinct d.code collate "C" order by d.code collate "C") from detector d), '[]'),
      'law_codes', coalesce((select jsonb_agg(distinct d.law collate "C" order by d.law collate "C") from detector d where d.law is not null), '[]'),
      'absent', coalesce((
        select jsonb_agg(p.content -> 'component' order by p.place) from part p where p.content ->> 'state' = 'absent'), '[]'),
      'reach_everything', jsonb_build_object(
        'unmapped', coalesce((
          select jsonb_agg(distinct d.code collate "C" order by d.code collate "C") from detector d
          where not exists (select from reach r where (r.kind, r.code) in (('measurement', d.code), ('law', d.law)))), '[]'),
        'laws', coalesce((
          select jsonb_agg(distinct d.law collate "C" order by d.law collate "C") from detector d
          where d.law is not null and not exists (select from reach r where (r.kind, r.code) = ('law', d.law))), '[]')))
  );
end
$gcos_function$;

-- The canonical text of a ruleset, from its components.
create function {{trust}}.gcos_ruleset_text(p_components text[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return '{"components":[' || array_to_string(p_components, ',') || '],"family":"governance","format":"gcos-ruleset/1"}';
end
$gcos_function$;
revoke all on function {{trust}}.gcos_describe_rules(text[]), {{trust}}.gcos_ruleset_text(text[]) from public;

-- Stores the rules in the tables as a draft. The same rules are the same row: nothing is written a second
-- time.
create function {{trust}}.gcos_draft_ruleset(p_notes text)
returns table (ruleset_version text, created boolean, status text, owner text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  is_new boolean;
  body text;
  components text[];
  bytes bytea;
  hash text;
  version text;
begin
  perform {{trust}}.gcos_require_permission('decide');
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)', '{{trust}}.gcos_ruleset_owner()',
    '{{trust}}.gcos_rule_components()');
  body := {{trust}}.gcos_ruleset_owner();
  components := {{trust}}.gcos_rule_components();
  bytes := convert_to({{trust}}.gcos_ruleset_text(components), 'UTF8');
  hash := encode(sha256(E'\\x67636f732d72756c6573657400'::bytea || bytes), 'hex');
  version := 'gov-rs-' || left(hash, 12);
  insert into {{trust}}.governance_ruleset (ruleset_version, content_hash, canonical_bytes, components, family, owner, notes, created_at, created_by)
  values (version, hash, bytes, {{trust}}.gcos_describe_rules(components), 'governance', body, p_notes, clock_timestamp(), {{trust}}.gcos_credential())
  on conflict do nothing;
  is_new := found;
  if not exists (select from {{trust}}.governance_ruleset r where r.ruleset_version = version and r.content_hash = hash) then
    raise exception 'another content already has the version %: the first twelve digits of the hashes are equal', version using errcode = 'unique_violation';
  end if;
  -- The owner may become known later; the content cannot change.
  update {{trust}}.governance_ruleset r set owner = body
  where r.ruleset_version = version and r.status = 'draft' and r.owner is distinct from body;
  if is_new then
    perform {{trust}}.gcos_audit(array['governance_ruleset'], array[version], array['draft'],
      array[jsonb_build_object('family', 'governance', 'content_hash', hash, 'owner', body)::text], null);
  end if;
  return query select r.ruleset_version, is_new, r.status, r.owner from {{trust}}.governance_ruleset r where r.ruleset_version = version;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_draft_ruleset(text) from public;
grant execute on function {{trust}}.gcos_draft_ruleset(text) to {{worker}}, {{api}}, {{server}};
set local role {{owner}};
