-- The alert level of GCOS's audit rows: the setting, or the first word that the host's constraints on the
-- column allow. The same choice as that of the vocabulary mapping, made by the server for functions that
-- decide.
create function {{trust}}.gcos_alert_word()
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  chosen text := (
    select s.setting_value -> 'alert_level' ->> 'info' from {{trust}}.governance_setting s where s.setting_key = 'host.mapping');
  checks text[];
  word text;
  allowed boolean;
begin
  if chosen is not null then
    return chosen;
  end if;
  with recursive level as (
    select a.attrelid, a.attnum, a.atttypid
    from pg_attribute a
    where a.attrelid = to_regclass('{{schema}}.registry_changelog') and a.attname = 'alert_level' and not a.attisdropped
  ),
  domains (type_oid) as (
    select l.atttypid from level l
    union all
    select t.typbasetype from domains d join pg_type t on t.oid = d.type_oid and t.typtype = 'd'
  )
  select array_agg(c.expression) into checks
  from (
    select pg_get_expr(k.conbin, k.conrelid) as expression
    from level l
    join pg_constraint k on k.conrelid = l.attrelid and k.contype = 'c' and k.conkey = array[l.attnum]
    union all
    select regexp_replace(pg_get_expr(k.conbin, 0), '\mVALUE\M', 'alert_level', 'g')
    from domains d
    join pg_constraint k on k.contypid = d.type_oid and k.contype = 'c'
  ) c;
  if checks is null then
    return 'info';
  end if;
  -- The words that a constraint lists come last.
  foreach word in array array['info', 'low', 'notice', 'normal', 'none'] || array(
    select m[1] from unnest(checks) as c(expression) cross join lateral regexp_matches(c.expression, '''([^'']+)''', 'g') as m)
  loop
    begin
      execute 'select ' || (select string_agg('(' || c || ') is not false', ' and ') from unnest(checks) as c)
        || ' from (select $1::text as alert_level) as candidate' into allowed using word;
    exception when others then
      allowed := false;
    end;
    if allowed then
      return word;
    end if;
  end loop;
  return 'info';
end
$gcos_function$;
revoke all on function {{trust}}.gcos_alert_word() from public;
grant execute on function {{trust}}.gcos_alert_word() to {{trust_owner}};
