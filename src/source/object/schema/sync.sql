-- One sync of one source: begin, COPY into the staging table, finish, all in one transaction. The lock on the
-- source's row is the lease: it ends with the transaction, however that ends.
set local check_function_bodies = off;
-- The input gate accepts what a source lists, as it accepts the collections that are there at installation: a
-- contract and a trust row for a collection of a source. Decisions that people recorded stay.
create function {{trust}}.gcos_accept_collection(p_collection text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if not exists (select from {{trust}}.gcos_source_of(p_collection)) then
    raise exception 'no source lists %', p_collection using errcode = 'UG023';
  end if;
  insert into {{schema}}.governance_input_contract (collection_name, required_fields, origin)
  values (p_collection, array['species_code', 'status', 'governance_role'], 'source')
  on conflict (collection_name) do nothing;
  insert into {{schema}}.governance_input_trust (source_kind, source, level, reason, set_by, set_at)
  values ('collection', p_collection, 'monitored', 'a source of this home lists it', 'gcos', {{trust}}.gcos_now())
  on conflict (source_kind, source, scope) do nothing;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_accept_collection(text) from public;
grant execute on function {{trust}}.gcos_accept_collection(text) to {{source}};
set local role {{source}};

-- Locks the source and creates the staging table, into which the session may then copy. INVARIANT: the tables
-- belong to this role, so their owner cannot attach code to them that would run with its rights.
create function {{trust}}.gcos_begin_sync(p_name text)
returns timestamptz
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  began constant timestamptz := {{trust}}.gcos_now();
  found_id bigint;
begin
  perform {{trust}}.gcos_require_home();
  if not exists (select from {{schema}}.gcos_source s where s.name = p_name and s.status = 'active') then
    raise exception 'there is no source %', p_name using errcode = 'UG023';
  end if;
  select s.source_id into found_id from {{schema}}.gcos_source s where s.name = p_name and s.status = 'active' for update skip locked;
  if found_id is null then
    raise exception 'another sync of % is running', p_name using errcode = 'UG021';
  end if;
  create temp table gcos_source_run on commit drop as select found_id as source_id, began as began_at;
  create temp table gcos_source_stage on commit drop as
  select null::text as object_class, null::text as code, null::text as identity, null::text as parent_class, null::text as parent_code,
    null::jsonb as attributes, null::jsonb as links, null::bigint as position
  where false;
  execute format('grant insert on pg_temp.gcos_source_stage to %I', session_user);
  return began;
end
$gcos_function$;
comment on function {{trust}}.gcos_begin_sync(text) is 'GCOS: begins to read a source; the transaction is the lease';

-- The collections of classes that the source has not had yet: their view, their class, and the decision that
-- they need coverage.
create function {{trust}}.gcos_add_collections(p_source bigint, p_name text)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  added record;
begin
  for added in
    select distinct d.object_class, p_name || '_' || d.object_class as collection
    from pg_temp.gcos_source_diff d
    where not exists (
      select from {{schema}}.gcos_source_collection c where c.source_id = p_source and c.object_class = d.object_class)
    order by d.object_class
  loop
    if added.object_class !~ '^[a-z][a-z0-9_]{0,37}$' then
      raise exception 'a class is a short lower-case name, not %', added.object_class using errcode = 'UG022';
    end if;
    if to_regclass(format('{{schema}}.%I', added.collection)) is not null
      or exists (select from {{schema}}.collection_registry r where r.collection_name = added.collection) then
      raise exception 'the name % is taken: choose another name for the source', added.collection using errcode = 'UG022';
    end if;
    execute format($view$
      create view {{schema}}.%I as
      select o.code, o.status, o.links ->> 'approval' as approval_ref, o.links ->> 'audit' as audit_ref, o.links ->> 'rollback' as rollback_ref,
        o.links ->> 'classification' as classification_ref, o.links ->> 'retention' as retention_ref, o.links ->> 'owner' as owner_ref,
        o.identity, o.parent_class, o.parent_code, o.attributes
      from {{schema}}.gcos_source_object o
      where o.source_id = %L::bigint and o.object_class = %L
    $view$, added.collection, p_source, added.object_class);
    execute format('comment on view {{schema}}.%I is %L', added.collection, format('The objects of class %s that the source %s lists.', added.object_class, p_name));
    execute format('grant select on {{schema}}.%I to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}}', added.collection);
    insert into {{schema}}.gcos_source_collection (collection_name, source_id, object_class)
    values (added.collection, p_source, added.object_class);
    insert into {{schema}}.meta_catalog (code, entity_type, registry_collection, collection_name)
    values (added.collection, added.object_class, added.collection, added.collection);
    insert into {{schema}}.collection_registry (code, collection_name, governance_role, coverage_status, coverage_scope_status)
    values (added.collection, added.collection, 'governed', 'BIRTH_REQUIRED', 'IN_SCOPE');
    perform {{trust}}.gcos_accept_collection(added.collection);
  end loop;
end
$gcos_function$;

-- The owner of an object; where its places disagree, each owner that one of them names: several accountable
-- owners are a conflict, which a person settles.
create function {{trust}}.gcos_owners_named(p_attributes jsonb, p_links jsonb)
returns table (owner text)
language sql immutable rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select p_links ->> 'owner' where p_links ->> 'owner' <> ''
  union all
  select e.owner
  from jsonb_array_elements_text(case when jsonb_typeof(p_attributes #> '{link_conflicts,owner}') = 'array'
    then p_attributes #> '{link_conflicts,owner}' else '[]' end) as e(owner)
  where p_links ->> 'owner' is null and e.owner <> ''
$gcos_function$;

-- The owners that a source names, as rows of ownership: one per scope in which the profile of the class
-- requires an owner of each object. A row that the source no longer supports is superseded. Where the
-- container represents its members, an owner of a member has no row.
create function {{trust}}.gcos_merge_owners(p_source bigint, p_name text, p_at timestamptz)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  begun bigint;
  ended bigint;
begin
  insert into {{schema}}.governance_registry (code, name)
  select distinct a.owner, a.owner
  from {{schema}}.gcos_source_object o
  cross join lateral {{trust}}.gcos_owners_named(o.attributes, o.links) a
  where o.source_id = p_source and o.status = 'active'
  on conflict (code) do nothing;
  with needed as materialized (
    select c.object_class, s.scope_code as scope
    from {{schema}}.gcos_source_collection c
    cross join lateral (
      select p.inherits, p.required_links
      from {{schema}}.coverage_profile p
      where p.status = 'active' and (p.class_pattern = c.object_class or c.object_class like p.class_pattern escape '')
      order by p.class_pattern = c.object_class desc, length(p.class_pattern) desc, p.profile_code collate "C"
      limit 1
    ) as f
    join {{schema}}.governance_responsibility_scope s on s.status = 'active' and f.required_links -> s.scope_code ? 'owner'
    where c.source_id = p_source and not f.inherits
  ),
  wanted as materialized (
    select distinct o.object_class, o.code, n.scope, a.owner
    from {{schema}}.gcos_source_object o
    join needed n using (object_class)
    cross join lateral {{trust}}.gcos_owners_named(o.attributes, o.links) a
    where o.source_id = p_source and o.status = 'active'
  ),
  held as materialized (
    select h.id, h.object_type, h.object_ref, h.scope, h.owner_gov_code
    from {{schema}}.governance_object_ownership h
    where h.source_id = p_source and h.lifecycle_status = 'active'
  ),
  over as (
    update {{schema}}.governance_object_ownership o
    set lifecycle_status = 'superseded', effective_to = greatest(p_at, o.effective_from + interval '1 microsecond')
    from held h
    where o.id = h.id and not exists (
      select from wanted w
      where w.object_class = h.object_type and w.code = h.object_ref and w.scope = h.scope and w.owner = h.owner_gov_code)
    returning o.id
  ),
  new as (
    insert into {{schema}}.governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from, source_id)
    select w.object_class, w.code, w.scope, 'accountable', w.owner, p_at, p_source
    from wanted w
    where not exists (
      select from held h
      where h.object_type = w.object_class and h.object_ref = w.code and h.scope = w.scope and h.owner_gov_code = w.owner)
    returning id
  )
  select (select count(*) from new), (select count(*) from over) into begun, ended;
  return jsonb_build_object('begun', begun, 'ended', ended);
end
$gcos_function$;

-- Compares the staging table with what the last sync left, and writes only what differs.
create function {{trust}}.gcos_merge_source(p_source bigint, p_name text, p_accept_shrink boolean, p_at timestamptz)
returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bad record;
  lost text;
  summary jsonb;
  writer constant text := 'source:' || p_name;
begin
  analyze pg_temp.gcos_source_stage;
  select s.object_class, s.code, min(s.position) as first_position, max(s.position) as last_position into bad
  from pg_temp.gcos_source_stage s
  group by s.object_class, s.code
  having count(*) > 1
  order by min(s.position)
  limit 1;
  if bad.code is not null then
    raise exception '% % is listed twice, as objects % and % of what was read', bad.object_class, bad.code, bad.first_position, bad.last_position
      using errcode = 'UG022';
  end if;

  -- A rename is known by its identity: one that two objects share would pair any object with any other.
  select s.object_class, s.identity into bad
  from pg_temp.gcos_source_stage s
  where s.identity is not null
  group by s.object_class, s.identity
  having count(*) > 1
  limit 1;
  if found then
    raise exception 'the identity % is that of several objects of class %', bad.identity, bad.object_class using errcode = 'UG022';
  end if;

  create temp table gcos_source_diff on commit drop as
  with staged as (
    select s.object_class, s.code, s.identity, s.parent_class, s.parent_code, s.attributes, s.links,
      sha256(convert_to(jsonb_build_array(s.identity, s.parent_class, s.parent_code, s.attributes, s.links)::text, 'UTF8')) as fingerprint
    from pg_temp.gcos_source_stage s
  ),
  known as (
    select o.object_class, o.code, o.identity, o.fingerprint, o.status
    from {{schema}}.gcos_source_object o
    where o.source_id = p_source
  )
  select coalesce(s.object_class, o.object_class) as object_class, coalesce(s.code, o.code) as code,
    case when s.code is null then 'gone' when o.code is null then 'created' when o.status = 'gone' then 'returned' else 'changed' end as change,
    s.identity, s.parent_class, s.parent_code, s.attributes, s.links, s.fingerprint, o.identity as former_identity, null::text as counterpart
  from staged s
  full join known o on o.object_class = s.object_class and o.code = s.code
  where s.code is null and o.status = 'active'
    or s.code is not null and (o.code is null or o.status = 'gone' or o.fingerprint <> s.fingerprint);
  analyze pg_temp.gcos_source_diff;

  -- A rename: what was there under one code is there under another.
  with pair as materialized (
    select f.object_class, f.code as former, n.code as now_named
    from pg_temp.gcos_source_diff f
    join pg_temp.gcos_source_diff n on n.object_class = f.object_class and n.identity = f.former_identity and n.change in ('created', 'returned')
    where f.change = 'gone'
  )
  update pg_temp.gcos_source_diff d
  set counterpart = case when d.code = p.former then p.now_named else p.former end
  from pair p
  where d.object_class = p.object_class and d.code in (p.former, p.now_named);

  if not p_accept_shrink then
    select string_agg(format('%s of %s objects of class %s', l.missing, h.active, l.object_class), ', ' order by l.object_class) into lost
    from (
      select d.object_class, count(*) as missing
      from pg_temp.gcos_source_diff d
      where d.change = 'gone' and d.counterpart is null
      group by d.object_class
      having count(*) > 10
    ) as l
    cross join lateral (
      select count(*) as active from {{schema}}.gcos_source_object o
      where o.source_id = p_source and o.object_class = l.object_class and o.status = 'active'
    ) as h
    where l.missing * 10 > h.active;
    if lost is not null then
      raise exception '% are no longer listed', lost using errcode = 'UG020';
    end if;
  end if;

  perform {{trust}}.gcos_add_collections(p_source, p_name);

  -- What changed, before it is overwritten.
  insert into {{schema}}.registry_changelog (entity_type, entity_code, action, "timestamp", changed_by, alert_detail)
  select c.collection_name, d.code,
    case when d.counterpart is not null then 'source_renamed' else 'source_' || d.change end, p_at at time zone 'UTC', writer,
    case
      when d.counterpart is not null and d.change = 'gone' then jsonb_build_object('to', d.counterpart)
      when d.counterpart is not null then jsonb_build_object('from', d.counterpart)
      when d.change = 'changed' then jsonb_build_object('changed', (
        select coalesce(jsonb_agg(k.name order by k.name), '[]')
        from (
          select 'identity' as name where o.identity is distinct from d.identity
          union all
          select 'parent' where (o.parent_class, o.parent_code) is distinct from (d.parent_class, d.parent_code)
          union all
          select coalesce(n.key, f.key) from jsonb_each(d.attributes) n full join jsonb_each(o.attributes) f on f.key = n.key
          where n.value is distinct from f.value
          union all
          select 'link ' || coalesce(n.key, f.key) from jsonb_each(d.links) n full join jsonb_each(o.links) f on f.key = n.key
          where n.value is distinct from f.value
        ) as k))
      else '{}'
    end::text
  from pg_temp.gcos_source_diff d
  join {{schema}}.gcos_source_collection c on c.source_id = p_source and c.object_class = d.object_class
  left join {{schema}}.gcos_source_object o on o.source_id = p_source and o.object_class = d.object_class and o.code = d.code
  where d.change <> 'created' or d.counterpart is not null;
  -- One row for all that is new in a collection: the births say which.
  insert into {{schema}}.registry_changelog (entity_type, action, "timestamp", changed_by, alert_detail)
  select c.collection_name, 'source_created', p_at at time zone 'UTC', writer, jsonb_build_object('objects', count(*))::text
  from pg_temp.gcos_source_diff d
  join {{schema}}.gcos_source_collection c on c.source_id = p_source and c.object_class = d.object_class
  where d.change = 'created' and d.counterpart is null
  group by c.collection_name
  order by c.collection_name;

  insert into {{schema}}.gcos_source_object (source_id, object_class, code, identity, parent_class, parent_code, attributes, links, fingerprint,
    first_seen_at, changed_at)
  select p_source, d.object_class, d.code, d.identity, d.parent_class, d.parent_code, d.attributes, d.links, d.fingerprint, p_at, p_at
  from pg_temp.gcos_source_diff d
  where d.change = 'created';
  update {{schema}}.gcos_source_object o
  set identity = d.identity, parent_class = d.parent_class, parent_code = d.parent_code, attributes = d.attributes, links = d.links,
    fingerprint = d.fingerprint, status = 'active', gone_at = null, renamed_to = null, changed_at = p_at
  from pg_temp.gcos_source_diff d
  where d.change in ('changed', 'returned') and o.source_id = p_source and o.object_class = d.object_class and o.code = d.code;
  update {{schema}}.gcos_source_object o
  set status = 'gone', gone_at = p_at, renamed_to = d.counterpart, changed_at = p_at
  from pg_temp.gcos_source_diff d
  where d.change = 'gone' and o.source_id = p_source and o.object_class = d.object_class and o.code = d.code;

  insert into {{schema}}.birth_registry (entity_code, collection_name, species_code, governance_role, born_at)
  select d.code, c.collection_name, d.object_class, 'governed', p_at
  from pg_temp.gcos_source_diff d
  join {{schema}}.gcos_source_collection c on c.source_id = p_source and c.object_class = d.object_class
  where d.change = 'created'
  on conflict (collection_name, entity_code) do nothing;
  update {{schema}}.birth_registry b
  set status = case d.change when 'gone' then 'gone' else 'born' end
  from pg_temp.gcos_source_diff d
  join {{schema}}.gcos_source_collection c on c.source_id = p_source and c.object_class = d.object_class
  where d.change in ('gone', 'returned') and b.collection_name = c.collection_name and b.entity_code = d.code;

  select coalesce(jsonb_agg(jsonb_build_object('class', k.object_class, 'objects', k.objects, 'created', k.created, 'changed', k.changed,
    'gone', k.gone, 'renamed', k.renamed, 'returned', k.returned) order by k.object_class), '[]') into summary
  from (
    select object_class, coalesce(s.objects, 0) as objects, coalesce(d.created, 0) as created, coalesce(d.changed, 0) as changed,
      coalesce(d.gone, 0) as gone, coalesce(d.renamed, 0) as renamed, coalesce(d.returned, 0) as returned
    from (select t.object_class, count(*) as objects from pg_temp.gcos_source_stage t group by t.object_class) as s
    full join (
      select t.object_class, count(*) filter (where t.change = 'created' and t.counterpart is null) as created,
        count(*) filter (where t.change = 'changed') as changed,
        count(*) filter (where t.change = 'gone' and t.counterpart is null) as gone,
        count(*) filter (where t.change = 'gone' and t.counterpart is not null) as renamed,
        count(*) filter (where t.change = 'returned' and t.counterpart is null) as returned
      from pg_temp.gcos_source_diff t
      group by t.object_class
    ) as d using (object_class)
  ) as k;
  summary := jsonb_build_object('classes', summary, 'owners', {{trust}}.gcos_merge_owners(p_source, p_name, p_at));
  -- What a sync wrote is taken in before autovacuum looks at it: without statistics, the statements that do
  -- so compare each object with each. Two minutes of a backfill of 24,000 objects were that.
  if (select count(*) from pg_temp.gcos_source_diff) * 10 > (
    select greatest(c.reltuples, 0) from pg_class c where c.oid = '{{schema}}.gcos_source_object'::regclass) then
    analyze (skip_locked) {{schema}}.gcos_source_object (source_id, object_class, code, identity, parent_class, parent_code, status);
    analyze (skip_locked) {{schema}}.birth_registry;
    analyze (skip_locked) {{schema}}.governance_object_ownership;
  end if;
  return summary;
end
$gcos_function$;

-- Ends a sync that read the whole estate. `p_accept_shrink`: objects may be missing in any number.
create function {{trust}}.gcos_finish_sync(p_name text, p_accept_shrink boolean)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $gcos_function$
declare
  run record;
  written jsonb;
  at constant timestamptz := {{trust}}.gcos_now();
begin
  perform {{trust}}.gcos_require_home();
  if (select count(*) from pg_class c
    where c.oid in (to_regclass('pg_temp.gcos_source_run'), to_regclass('pg_temp.gcos_source_stage')) and c.relowner = '{{source}}'::regrole) <> 2 then
    raise exception 'no sync of % has begun in this transaction', p_name using errcode = 'UG023';
  end if;
  select r.source_id, r.began_at into run
  from pg_temp.gcos_source_run r
  join {{schema}}.gcos_source s on s.source_id = r.source_id
  where s.name = p_name;
  if run.source_id is null then
    raise exception 'no sync of % has begun in this transaction', p_name using errcode = 'UG023';
  end if;
  written := {{trust}}.gcos_merge_source(run.source_id, p_name, p_accept_shrink, at);
  update {{schema}}.gcos_source s
  set read_at = run.began_at, synced_at = at, failed_at = null, failing_since = null, failures = 0, failure_code = null, failure = null
  where s.source_id = run.source_id;
  perform {{trust}}.gcos_feed_write(null, array['source.synced'], array['gcos_source:' || p_name],
    array[jsonb_build_object('source', p_name, 'objects', (
      select count(*) from {{schema}}.gcos_source_object o where o.source_id = run.source_id and o.gone_at is null))]);
  return written || jsonb_build_object('read_at', run.began_at);
end
$gcos_function$;
comment on function {{trust}}.gcos_finish_sync(text, boolean) is 'GCOS: writes what differs from the last sync of a source';

-- Removes a source: its objects are gone, their births and rows stay.
create function {{trust}}.gcos_remove_source(p_name text)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $gcos_function$
declare
  run record;
  written jsonb;
begin
  perform {{trust}}.gcos_begin_sync(p_name);
  select r.source_id, r.began_at into run from pg_temp.gcos_source_run r;
  written := {{trust}}.gcos_merge_source(run.source_id, p_name, true, {{trust}}.gcos_now());
  update {{schema}}.gcos_source s
  set status = 'removed', failed_at = null, failing_since = null, failures = 0, failure_code = null, failure = null
  where s.source_id = run.source_id;
  insert into {{schema}}.registry_changelog (entity_type, entity_code, action, changed_by, alert_detail)
  values ('source', p_name, 'source_removed', 'source:' || p_name, jsonb_build_object('by', session_user)::text);
  return written;
end
$gcos_function$;
comment on function {{trust}}.gcos_remove_source(text) is 'GCOS: removes a source from a home; what it listed is gone';

revoke all on function {{trust}}.gcos_begin_sync(text), {{trust}}.gcos_owners_named(jsonb, jsonb), {{trust}}.gcos_add_collections(bigint, text), {{trust}}.gcos_merge_owners(bigint, text, timestamptz),
  {{trust}}.gcos_merge_source(bigint, text, boolean, timestamptz), {{trust}}.gcos_finish_sync(text, boolean), {{trust}}.gcos_remove_source(text) from public;
grant execute on function {{trust}}.gcos_begin_sync(text), {{trust}}.gcos_finish_sync(text, boolean), {{trust}}.gcos_remove_source(text) to {{worker}};
set local role {{owner}};
set local check_function_bodies to default;
