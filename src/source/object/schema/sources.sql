-- The functions of sources. They belong to the role of sources, which has privileges only where it owns the
-- host's tables: in a home. The tables exist only there, so the bodies are not checked at creation.
set local check_function_bodies = off;
set local role {{source}};

-- Fails unless GCOS created the host of this schema. INVARIANT: a host that is not GCOS's gets no birth and
-- no member from it.
create function {{trust}}.gcos_require_home()
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if not exists (
    select from pg_class c
    where c.oid = to_regclass('{{schema}}.birth_registry') and c.relowner = '{{source}}'::regrole) then
    raise exception 'the host of this database is not a home: GCOS did not create it' using errcode = 'UG024';
  end if;
  return true;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_require_home() from public;

-- The active and removed sources; none where there is no home.
create function {{trust}}.gcos_sources()
returns table (name text, kind text, config jsonb, status text, added_at timestamptz, added_by text, read_at timestamptz,
  synced_at timestamptz, failed_at timestamptz, failing_since timestamptz, failures integer, failure_code text, failure text,
  objects bigint, gone bigint)
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if to_regclass('{{schema}}.gcos_source') is null then
    return;
  end if;
  return query
    select s.name, s.kind, s.config, s.status, s.added_at, s.added_by, s.read_at, s.synced_at, s.failed_at, s.failing_since,
      s.failures, s.failure_code, s.failure, coalesce(o.objects, 0), coalesce(o.gone, 0)
    from {{schema}}.gcos_source s
    left join (
      select m.source_id, count(*) filter (where m.status = 'active') as objects, count(*) filter (where m.status = 'gone') as gone
      from {{schema}}.gcos_source_object m
      group by m.source_id
    ) as o on o.source_id = s.source_id
    order by s.name collate "C";
end
$gcos_function$;
comment on function {{trust}}.gcos_sources() is 'GCOS: the sources of a home, with the objects read from each';

-- The sources whose last attempt is older than p_seconds, most overdue first. One that takes long is read
-- less often: reading it takes p_share of the time at most.
create function {{trust}}.gcos_due_sources(p_seconds double precision, p_share double precision)
returns table (name text, kind text, config jsonb, overdue_seconds double precision)
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if to_regclass('{{schema}}.gcos_source') is null then
    return;
  end if;
  return query
    select d.name, d.kind, d.config, d.overdue
    from (
      select s.name, s.kind, s.config,
        -- Never read, or at a time that the clock was set back from: due now.
        case when greatest(s.read_at, s.failed_at) <= {{trust}}.gcos_now()
          then extract(epoch from {{trust}}.gcos_now() - greatest(s.read_at, s.failed_at))::float8
            - greatest(p_seconds, extract(epoch from s.synced_at - s.read_at)::float8 / p_share) else 0 end as overdue
      from {{schema}}.gcos_source s
      where s.status = 'active'
    ) as d
    where d.overdue >= 0
    order by d.overdue desc, d.name collate "C";
end
$gcos_function$;
comment on function {{trust}}.gcos_due_sources(double precision, double precision) is 'GCOS: the sources of a home that are to be read again';

-- Which source lists the members of a collection, and as of when it was read completely; null: it was
-- removed, or the time is in the future, because the clock was set back, and proves nothing. No row: no
-- source does.
create function {{trust}}.gcos_source_of(p_collection text)
returns table (name text, read_at timestamptz)
language plpgsql stable rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if to_regclass('{{schema}}.gcos_source_collection') is null then
    return;
  end if;
  return query
    select s.name, case when s.status = 'active' and s.read_at <= {{trust}}.gcos_now() then s.read_at end
    from {{schema}}.gcos_source_collection c
    join {{schema}}.gcos_source s on s.source_id = c.source_id
    where c.collection_name = p_collection;
end
$gcos_function$;
comment on function {{trust}}.gcos_source_of(text) is 'GCOS: the source of a collection, and as of when it was read';

-- Adds a source, or a removed one again. The same source again changes nothing.
create function {{trust}}.gcos_add_source(p_name text, p_kind text, p_config jsonb)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  found_source record;
begin
  perform {{trust}}.gcos_require_home();
  insert into {{schema}}.gcos_source (name, kind, config, added_at, added_by)
  values (p_name, p_kind, p_config, {{trust}}.gcos_now(), session_user)
  on conflict (name) do nothing;
  if found then
    insert into {{schema}}.registry_changelog (entity_type, entity_code, action, changed_by, alert_detail)
    values ('source', p_name, 'source_added', 'source:' || p_name, jsonb_build_object('kind', p_kind)::text);
    return true;
  end if;
  select s.kind, s.config, s.status into found_source from {{schema}}.gcos_source s where s.name = p_name for update;
  if found_source.status = 'active' then
    if found_source.kind <> p_kind or found_source.config <> p_config then
      raise exception 'there is a source % with another configuration', p_name using errcode = 'UG025';
    end if;
    return false;
  end if;
  if found_source.kind <> p_kind then
    raise exception 'the removed source % was of another kind', p_name using errcode = 'UG025';
  end if;
  update {{schema}}.gcos_source s set status = 'active', config = p_config, read_at = null, synced_at = null, added_at = {{trust}}.gcos_now(), added_by = session_user
  where s.name = p_name;
  insert into {{schema}}.registry_changelog (entity_type, entity_code, action, changed_by, alert_detail)
  values ('source', p_name, 'source_added', 'source:' || p_name, jsonb_build_object('kind', p_kind)::text);
  return true;
end
$gcos_function$;
comment on function {{trust}}.gcos_add_source(text, text, jsonb) is 'GCOS: adds a source to a home';

-- Gives a source another configuration: where its estate is now. Its objects stay as they were read until
-- the next sync, which compares. False: it has this configuration.
create function {{trust}}.gcos_change_source(p_name text, p_kind text, p_config jsonb)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  found_source record;
begin
  perform {{trust}}.gcos_require_home();
  select s.kind, s.config into found_source from {{schema}}.gcos_source s where s.name = p_name and s.status = 'active' for update;
  if not found then
    raise exception 'there is no source %', p_name using errcode = 'UG023';
  end if;
  if found_source.kind <> p_kind then
    raise exception 'the source % is of another kind', p_name using errcode = 'UG025';
  end if;
  if found_source.config = p_config then
    return false;
  end if;
  -- What was read elsewhere proves nothing about this estate.
  update {{schema}}.gcos_source s set config = p_config, read_at = null, synced_at = null where s.name = p_name;
  insert into {{schema}}.registry_changelog (entity_type, entity_code, action, changed_by, alert_detail)
  values ('source', p_name, 'source_configured', 'source:' || p_name,
    jsonb_build_object('before', found_source.config, 'after', p_config, 'by', session_user)::text);
  return true;
end
$gcos_function$;
comment on function {{trust}}.gcos_change_source(text, text, jsonb) is 'GCOS: gives a source of a home another configuration';

-- Records that a sync failed: what was read before stays, and is watched as of the last complete sync.
create function {{trust}}.gcos_fail_source(p_name text, p_code text, p_failure text)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_home();
  update {{schema}}.gcos_source s
  set failed_at = {{trust}}.gcos_now(), failing_since = coalesce(s.failing_since, {{trust}}.gcos_now()), failures = s.failures + 1,
    failure_code = p_code, failure = left(p_failure, 2000)
  where s.name = p_name and s.status = 'active';
  if not found then
    return false;
  end if;
  perform {{trust}}.gcos_feed_write(null, array['source.failed'], array['gcos_source:' || p_name],
    array[jsonb_build_object('source', p_name, 'code', left(p_code, 100))]);
  return true;
end
$gcos_function$;
comment on function {{trust}}.gcos_fail_source(text, text, text) is 'GCOS: records that a source could not be read';

revoke all on function {{trust}}.gcos_sources(), {{trust}}.gcos_due_sources(double precision, double precision), {{trust}}.gcos_source_of(text),
  {{trust}}.gcos_add_source(text, text, jsonb), {{trust}}.gcos_change_source(text, text, jsonb), {{trust}}.gcos_fail_source(text, text, text) from public;
grant execute on function {{trust}}.gcos_sources(), {{trust}}.gcos_source_of(text) to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant execute on function {{trust}}.gcos_due_sources(double precision, double precision), {{trust}}.gcos_add_source(text, text, jsonb),
  {{trust}}.gcos_change_source(text, text, jsonb), {{trust}}.gcos_fail_source(text, text, text) to {{worker}};
set local role {{owner}};
set local check_function_bodies to default;
