set local role {{trust_owner}};
-- A value of a ruleset with its decimals as JSON numbers: the canonical form writes them as {"$decimal":
-- "0.5"}.
create function {{trust}}.gcos_plain_value(p_value jsonb)
returns jsonb
language sql immutable strict
as $gcos_function$
  select regexp_replace(p_value::text, E'\\{"\\$decimal": "([^"]+)"\\}', E'\\1', 'g')::jsonb
$gcos_function$;
revoke all on function {{trust}}.gcos_plain_value(jsonb) from public;
grant execute on function {{trust}}.gcos_plain_value(jsonb) to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- A setting as the rules in force have it: from the stored content of the active ruleset; null if that has no
-- such setting. Before the first activation the setting itself counts.
create function {{trust}}.gcos_rule_setting(p_key text)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if exists (select from {{trust}}.governance_ruleset r where r.family = 'governance' and r.status = 'active') then
    return (
      select {{trust}}.gcos_plain_value(s.row -> 'setting_value')
      from {{trust}}.governance_ruleset r
      cross join lateral jsonb_path_query(convert_from(r.canonical_bytes, 'UTF8')::jsonb,
        '$.components[*] ? (@.component == "settings").rows[*]') as s(row)
      where r.family = 'governance' and r.status = 'active' and s.row ->> 'setting_key' = p_key);
  end if;
  return (select s.setting_value from {{trust}}.governance_setting s where s.setting_key = p_key);
end
$gcos_function$;
comment on function {{trust}}.gcos_rule_setting(text) is 'GCOS: a setting as the rules in force have it';
revoke all on function {{trust}}.gcos_rule_setting(text) from public;
grant execute on function {{trust}}.gcos_rule_setting(text) to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
