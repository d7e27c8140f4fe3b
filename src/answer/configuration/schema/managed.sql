-- What `gcos config apply` manages, as it left it: a difference from now is an edit by hand.
create table {{schema}}.governance_managed (
  kind text not null,
  managed_key text not null,
  content jsonb not null,
  applied_at timestamptz not null,
  applied_by text not null,
  primary key (kind, managed_key)
);
comment on table {{schema}}.governance_managed is 'GCOS: what gcos.yaml manages, with the content that its last application left';
grant select on {{schema}}.governance_managed to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- The content of managed rows as it is now; null: there is none.
create function {{trust}}.gcos_managed_content(p_kinds text[], p_keys text[])
returns table (kind text, managed_key text, content jsonb)
language plpgsql stable
rows 10
set search_path = pg_catalog, pg_temp
set intervalstyle = iso_8601
as $gcos_function$
#variable_conflict use_column
begin
  return query
  select w.kind, w.managed_key, s.setting_value
  from unnest(p_kinds, p_keys) as w(kind, managed_key)
  left join {{trust}}.governance_setting s on s.setting_key = w.managed_key
  where w.kind = 'setting'
  union all
  select w.kind, w.managed_key, jsonb_build_object('expires_at', e.expires_at, 'reason', e.reason, 'revoked', e.revoked_at is not null)
  from unnest(p_kinds, p_keys) as w(kind, managed_key)
  left join {{trust}}.governance_exception e on e.exception_code = w.managed_key
  where w.kind = 'exception';
  return query
  select w.kind, w.managed_key, case when m.measurement_id is not null then jsonb_build_object('severity', m.severity,
    'enabled', m.enabled, 'about', m.measurement_name, 'query', m.source_query) end
  from unnest(p_kinds, p_keys) as w(kind, managed_key)
  left join {{schema}}.measurement_registry m on m.measurement_id::text = w.managed_key
  where w.kind = 'detector';
  if 'source' = any (p_kinds) then
    return query
    select w.kind, w.managed_key, case when s.status = 'active' then jsonb_build_object('kind', s.kind, 'config', s.config) end
    from unnest(p_kinds, p_keys) as w(kind, managed_key)
    left join {{trust}}.gcos_sources() s on s.name = w.managed_key
    where w.kind = 'source';
  end if;
  if to_regclass('{{schema}}.coverage_profile') is not null then
    return query
    select w.kind, w.managed_key, case when p.profile_code is not null then jsonb_build_object('class', p.class_pattern, 'risk', p.risk_class,
      'ttl', p.ttl::text, 'inherits', p.inherits, 'links', p.required_links, 'status', p.status) end
    from unnest(p_kinds, p_keys) as w(kind, managed_key)
    left join {{schema}}.coverage_profile p on p.profile_code::text = w.managed_key
    where w.kind = 'profile';
  end if;
  if to_regclass('{{schema}}.governance_registry') is not null then
    return query
    select w.kind, w.managed_key, case when b.code is not null then jsonb_build_object('name', b.name, 'status', b.status) end
    from unnest(p_kinds, p_keys) as w(kind, managed_key)
    left join {{schema}}.governance_registry b on b.code::text = w.managed_key
    where w.kind = 'body';
  end if;
end
$gcos_function$;
comment on function {{trust}}.gcos_managed_content(text[], text[]) is 'GCOS: what gcos.yaml can manage, as it is now';
revoke all on function {{trust}}.gcos_managed_content(text[], text[]) from public;
grant execute on function {{trust}}.gcos_managed_content(text[], text[]) to {{api}}, {{server}};

-- Marks rows as managed, with the content that they have now, and ends the management of all others. The
-- caller says which rows; what they contain, who and when comes from the database.
create function {{trust}}.gcos_manage(p_kinds text[], p_keys text[])
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person text;
  v_released bigint;
  v_noted bigint;
begin
  select a.person_ref into v_person from {{trust}}.gcos_actor(null, 'operate') as a where a.outcome = 'ok';
  if v_person is null then
    raise exception 'the login % is mapped to no active person in governance_actor', session_user using errcode = 'insufficient_privilege';
  end if;
  delete from {{schema}}.governance_managed m
  where not exists (select from unnest(p_kinds, p_keys) as w(kind, managed_key) where w.kind = m.kind and w.managed_key = m.managed_key);
  get diagnostics v_released = row_count;
  insert into {{schema}}.governance_managed as m (kind, managed_key, content, applied_at, applied_by)
  select c.kind, c.managed_key, c.content, {{trust}}.gcos_now(), v_person
  from {{trust}}.gcos_managed_content(p_kinds, p_keys) c
  where c.content is not null
  on conflict (kind, managed_key) do update
  set content = excluded.content, applied_at = excluded.applied_at, applied_by = excluded.applied_by
  where m.content <> excluded.content;
  get diagnostics v_noted = row_count;
  return v_released + v_noted;
end
$gcos_function$;
comment on function {{trust}}.gcos_manage(text[], text[]) is 'GCOS: marks rows as managed by gcos.yaml, as the acting person';
revoke all on function {{trust}}.gcos_manage(text[], text[]) from public;
grant execute on function {{trust}}.gcos_manage(text[], text[]) to {{api}}, {{server}};
