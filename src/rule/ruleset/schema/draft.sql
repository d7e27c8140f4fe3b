-- The owner of rulesets: the body in the setting, unless the host lists its bodies and this one is not
-- active.
create function {{trust}}.gcos_ruleset_owner()
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
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
grant execute on function {{trust}}.gcos_ruleset_owner() to {{trust_owner}}, {{reader}}, {{worker}}, {{api}}, {{pruner}};

set local role {{trust_owner}};
-- Stores a content as a draft. The same content is the same row: nothing is written a second time.
create function {{trust}}.gcos_draft_ruleset(
  p_version text, p_hash text, p_canonical text, p_components jsonb, p_family text, p_notes text, p_alert_level text)
returns table (created boolean, status text, owner text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  is_new boolean;
  body text;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text, text)', '{{trust}}.gcos_ruleset_owner()');
  body := {{trust}}.gcos_ruleset_owner();
  if ((p_canonical::jsonb) ->> 'format' = 'gcos-ruleset/1' and (p_canonical::jsonb) ->> 'family' = p_family) is not true then
    raise exception 'not the content of a ruleset' using errcode = 'invalid_parameter_value';
  end if;
  -- The components are stored permanently and shown with every ruleset: an invalid form would make
  -- rulesets unreadable.
  if jsonb_path_query_array(p_components, '$.parts[*] ? (
        (@.component == "detectors" || @.component == "profiles" || @.component == "axes" || @.component == "pivots"
          || @.component == "jurisdictions" || @.component == "scopes" || @.component == "reach" || @.component == "settings")
        && (@.state == "present" || @.state == "absent" || @.state == "unreadable")
        && @.count.type() == "number" && @.count.floor() == @.count && @.count >= 0 && @.count < 1000000000
        && @.hash.type() == "string" && @.source.type() == "string")') is distinct from p_components -> 'parts'
    or exists (
      select from unnest(array['{measurement_ids}', '{law_codes}', '{absent}', '{reach_everything,unmapped}',
        '{reach_everything,laws}']::text[]) as list(path)
      where coalesce(jsonb_path_query_array(p_components #> list.path::text[], '$[*] ? (@.type() == "string")'), '[]')
        is distinct from p_components #> list.path::text[]) then
    raise exception 'not the components of a ruleset' using errcode = 'invalid_parameter_value';
  end if;
  insert into {{trust}}.governance_ruleset (ruleset_version, content_hash, canonical_bytes, components, family, owner, notes, created_at, created_by)
  values (p_version, p_hash, convert_to(p_canonical, 'UTF8'), p_components, p_family, body, p_notes, clock_timestamp(), session_user)
  on conflict do nothing;
  is_new := found;
  if not exists (select from {{trust}}.governance_ruleset r where r.ruleset_version = p_version and r.content_hash = p_hash) then
    raise exception 'another content already has the version %: the first twelve digits of the hashes are equal', p_version using errcode = 'unique_violation';
  end if;
  -- The owner may become known later; the content cannot change.
  update {{trust}}.governance_ruleset r set owner = body
  where r.ruleset_version = p_version and r.status = 'draft' and r.owner is distinct from body;
  if is_new then
    perform {{trust}}.gcos_audit(array['governance_ruleset'], array[p_version], array['draft'],
      array[jsonb_build_object('family', p_family, 'content_hash', p_hash, 'owner', body)::text], p_alert_level, null);
  end if;
  return query select is_new, r.status, r.owner from {{trust}}.governance_ruleset r where r.ruleset_version = p_version;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_draft_ruleset(text, text, text, jsonb, text, text, text) from public;
grant execute on function {{trust}}.gcos_draft_ruleset(text, text, text, jsonb, text, text, text) to {{worker}}, {{api}};
set local role {{owner}};
