-- Decisions of people about input. Each function identifies the caller, takes the time from the server,
-- changes only the named rows, and writes an audit row.

create function {{trust}}.gcos_input_quarantine(p_collections text[], p_codes text[], p_reason text, p_as text)
returns table (outcome text, unknown_collection text, unknown_code text, changed bigint, person_ref text, login text, verified boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  stranger record;
  keys text[];
begin
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, null::text, 0::bigint, null::text, actor.login, null::boolean;
    return;
  end if;
  select k.collection_name, k.code into stranger
  from unnest(p_collections, p_codes) as k(collection_name, code)
  where not exists (select from {{schema}}.birth_registry b where b.collection_name = k.collection_name and b.entity_code = k.code)
  limit 1;
  if found then
    return query select 'object_unknown'::text, stranger.collection_name, stranger.code, 0::bigint, actor.person_ref, actor.login, actor.verified;
    return;
  end if;
  with named as (
    select distinct on ({{trust}}.gcos_object_key(k.collection_name, k.code)) {{trust}}.gcos_object_key(k.collection_name, k.code) as subject_key,
      k.collection_name, k.code
    from unnest(p_collections, p_codes) as k(collection_name, code)
    order by {{trust}}.gcos_object_key(k.collection_name, k.code)
  ),
  written as (
    insert into {{schema}}.governance_input_state as s (subject_key, collection_name, entity_code, input_state, cause, since, quarantined_at,
      quarantined_by, quarantine_reason, pending)
    select n.subject_key, n.collection_name, n.code, 'quarantined', 'operator', moment, moment, actor.person_ref, p_reason, true
    from named n
    order by n.subject_key collate "C"
    on conflict (subject_key) do update
    set quarantined_at = excluded.quarantined_at, quarantined_by = excluded.quarantined_by,
      quarantine_reason = excluded.quarantine_reason, pending = true, marked = false,
      input_state = case when s.cured_at is null then s.input_state else 'quarantined' end,
      cause = case when s.cured_at is null then s.cause else 'operator' end,
      scopes = case when s.cured_at is null then s.scopes end,
      since = case when s.cured_at is null then s.since else excluded.since end,
      cured_at = null
    where s.quarantined_at is null
    returning s.subject_key
  )
  select array_agg(w.subject_key) into keys from written w;
  perform {{trust}}.gcos_audit(array_agg('governance_input'::text), array_agg(left(s.collection_name || '/' || s.entity_code, 200)),
    array_agg('quarantine'::text), array_agg(jsonb_build_object('collection', s.collection_name, 'object_key', s.subject_key,
      'reason', p_reason, 'verified', actor.verified)::text), actor.person_ref)
  from {{schema}}.governance_input_state s
  where s.subject_key = any (keys)
  having count(*) > 0;
  return query select 'ok'::text, null::text, null::text, coalesce(cardinality(keys), 0)::bigint, actor.person_ref, actor.login, actor.verified;
end
$gcos_function$;

create function {{trust}}.gcos_input_release(p_collections text[], p_codes text[], p_reason text, p_as text)
returns table (outcome text, unknown_collection text, unknown_code text, changed bigint, person_ref text, login text, verified boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  stranger record;
  keys text[];
begin
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, null::text, 0::bigint, null::text, actor.login, null::boolean;
    return;
  end if;
  select k.collection_name, k.code into stranger
  from unnest(p_collections, p_codes) as k(collection_name, code)
  where not exists (select from {{schema}}.governance_input_state s
    where s.subject_key = {{trust}}.gcos_object_key(k.collection_name, k.code) and s.quarantined_at is not null)
  limit 1;
  if found then
    return query select 'not_quarantined'::text, stranger.collection_name, stranger.code, 0::bigint, actor.person_ref, actor.login, actor.verified;
    return;
  end if;
  with written as (
    -- Other problems of the object stay. The relapse count restarts at zero.
    update {{schema}}.governance_input_state s
    set quarantined_at = null, quarantined_by = null, quarantine_reason = null, relapses = 0, pending = true, marked = false,
      cured_at = case when s.input_state = 'quarantined' then moment else s.cured_at end
    where s.quarantined_at is not null and s.subject_key in (
      select {{trust}}.gcos_object_key(k.collection_name, k.code) from unnest(p_collections, p_codes) as k(collection_name, code))
    returning s.subject_key
  )
  select array_agg(w.subject_key) into keys from written w;
  perform {{trust}}.gcos_audit(array_agg('governance_input'::text), array_agg(left(s.collection_name || '/' || s.entity_code, 200)),
    array_agg('release'::text), array_agg(jsonb_build_object('collection', s.collection_name, 'object_key', s.subject_key,
      'reason', p_reason, 'verified', actor.verified)::text), actor.person_ref)
  from {{schema}}.governance_input_state s
  where s.subject_key = any (keys)
  having count(*) > 0;
  return query select 'ok'::text, null::text, null::text, coalesce(cardinality(keys), 0)::bigint, actor.person_ref, actor.login, actor.verified;
end
$gcos_function$;

create function {{trust}}.gcos_input_trust(p_kind text, p_source text, p_scope text, p_level text, p_reason text, p_as text)
returns table (outcome text, before text, changed bigint, person_ref text, login text, verified boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  previous text;
  written bigint;
begin
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, 0::bigint, null::text, actor.login, null::boolean;
    return;
  end if;
  select t.level into previous from {{schema}}.governance_input_trust t
  where t.source_kind = p_kind and t.source = p_source and t.scope = p_scope
  for update;
  insert into {{schema}}.governance_input_trust as t (source_kind, source, scope, level, reason, set_by, login, verified, set_at, pending)
  values (p_kind, p_source, p_scope, p_level, p_reason, actor.person_ref, actor.login, actor.verified, moment, true)
  on conflict (source_kind, source, scope) do update
  set level = excluded.level, reason = excluded.reason, set_by = excluded.set_by, login = excluded.login, verified = excluded.verified,
    set_at = excluded.set_at, pending = true, marked = false
  where t.level <> excluded.level;
  get diagnostics written = row_count;
  if written > 0 then
    perform {{trust}}.gcos_audit(array['governance_input'], array[left(p_kind || '/' || p_source, 200)], array['trust'],
      array[jsonb_build_object('scope', p_scope, 'level', p_level, 'before', previous, 'reason', p_reason,
        'verified', actor.verified)::text], actor.person_ref);
  end if;
  return query select 'ok'::text, previous, written, actor.person_ref, actor.login, actor.verified;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_input_quarantine(text[], text[], text, text),
  {{trust}}.gcos_input_release(text[], text[], text, text),
  {{trust}}.gcos_input_trust(text, text, text, text, text, text) from public;
grant execute on function {{trust}}.gcos_input_quarantine(text[], text[], text, text),
  {{trust}}.gcos_input_release(text[], text[], text, text),
  {{trust}}.gcos_input_trust(text, text, text, text, text, text) to {{worker}}, {{api}}, {{server}};
