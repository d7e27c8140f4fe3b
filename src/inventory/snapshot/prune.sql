set local role {{trust_owner}};
-- What was pruned. INVARIANT: pruning deletes the oldest rows up to a bound that lies at least the minimum
-- age of the setting prune.minimum_age in the past; a caller can neither pick rows nor reach younger ones.
-- The digest is that of the deleted rows, in their order.
create table {{trust}}.governance_pruned_range (
  prune_id bigint generated always as identity primary key,
  kind text not null constraint governance_pruned_range_kind_known check (kind in ('gate', 'snapshot')),
  first_id bigint not null,
  last_id bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  row_count bigint not null,
  digest text not null,
  pruned_at timestamptz not null,
  login text not null
);
comment on table {{trust}}.governance_pruned_range is 'GCOS: the ranges of gate decisions and snapshots that were pruned, with the SHA-256 of the deleted rows; append-only';
create trigger governance_pruned_range_stays before update or delete or truncate on {{trust}}.governance_pruned_range
  for each statement execute function {{trust}}.gcos_refuse_change();
grant select on {{trust}}.governance_pruned_range to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- The latest bound up to which p_kind may be pruned. A setting that gives no number of days counts as 365.
create function {{trust}}.gcos_prune_bound(p_kind text)
returns timestamptz
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  days text;
begin
  select s.setting_value ->> (p_kind || '_days') into days from {{trust}}.governance_setting s where s.setting_key = 'prune.minimum_age';
  return {{trust}}.gcos_now() - make_interval(days => case when days ~ '^[0-9]{1,5}$' then days::integer else 365 end);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_prune_bound(text) from public;
grant execute on function {{trust}}.gcos_prune_bound(text) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};

-- Deletes old snapshots of GCOS; only gcos_prune_snapshots calls it. Snapshots in use and the last of each
-- kind always stay.
create function {{trust}}.gcos_host_prune_snapshots(p_keep bigint, p_keep_of_scope jsonb, p_before timestamptz)
returns table (snapshot_id bigint, snapshot_scope text, snapshot_at timestamptz, row_hash bytea)
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
#variable_conflict use_column
begin
  perform {{trust}}.gcos_require_owner();
  -- One session at a time, and not during a capture.
  lock table {{schema}}.governance_inventory in share update exclusive mode;
  return query
  with own as (
    select s.id, row_number() over (partition by s.scope order by s.id desc) as age,
      greatest(coalesce((p_keep_of_scope ->> s.scope::text)::bigint, p_keep), 1) as keep
    from {{schema}}.evolution_snapshots s
    where s.scope like 'governance.%' and s.metrics ->> 'format' like 'gcos-snapshot/%'
  )
  delete from {{schema}}.evolution_snapshots s
  using own o
  where (select {{trust}}.gcos_enter_host()) and s.id = o.id and o.age > o.keep and s.snapshot_at < p_before
    and not exists (select from {{schema}}.v_governance_snapshot_in_use u where u.snapshot_id = s.id)
  returning s.id::bigint, s.scope::text, s.snapshot_at::timestamptz, sha256(convert_to(to_jsonb(s)::text, 'UTF8'));
end
$gcos_function$;
revoke all on function {{trust}}.gcos_host_prune_snapshots(bigint, jsonb, timestamptz) from public;
grant execute on function {{trust}}.gcos_host_prune_snapshots(bigint, jsonb, timestamptz) to {{trust_owner}};

set local role {{trust_owner}};
-- Deletes snapshots that are older than the minimum age, except those in use, the last of each kind, and the
-- last p_keep of each kind (null: the numbers of the setting snapshot.keep). It records what it deleted, so
-- pruning cannot happen silently.
create function {{trust}}.gcos_prune_snapshots(p_keep integer)
returns table (snapshot_id bigint, snapshot_scope text)
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_prune_bound('snapshot');
  numbers jsonb;
  gone record;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_prune_snapshots(bigint, jsonb, timestamptz)',
    '{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  if p_keep < 0 then
    raise exception 'the number of snapshots to keep must be 0 or more' using errcode = 'invalid_parameter_value';
  end if;
  select case when p_keep is not null then '{}' else coalesce(jsonb_object_agg(k.kind, k.keep) filter (where k.keep ~ '^[0-9]{1,9}$'), '{}') end into numbers
  from {{trust}}.governance_setting s
  cross join lateral jsonb_each_text(case when jsonb_typeof(s.setting_value) = 'object' then s.setting_value else '{}' end) as k(kind, keep)
  where s.setting_key = 'snapshot.keep';
  select coalesce(array_agg(p.snapshot_id order by p.snapshot_id), '{}') as ids,
    coalesce(array_agg(p.snapshot_scope order by p.snapshot_id), '{}') as scopes, min(p.snapshot_at) as first_at, max(p.snapshot_at) as last_at,
    encode(sha256(string_agg(p.row_hash, ''::bytea order by p.snapshot_id)), 'hex') as digest
  into gone
  from {{trust}}.gcos_host_prune_snapshots(coalesce(p_keep, (numbers ->> 'default')::bigint, 12),
    jsonb_strip_nulls(jsonb_build_object('governance.backfill', numbers -> 'backfill', 'governance.audit', numbers -> 'full',
      'governance.scan', numbers -> 'scan', 'governance.delta', numbers -> 'delta')), bound) p;
  if cardinality(gone.ids) > 0 then
    insert into {{trust}}.governance_pruned_range (kind, first_id, last_id, first_at, last_at, row_count, digest, pruned_at, login)
    values ('snapshot', gone.ids[1], gone.ids[cardinality(gone.ids)], gone.first_at, gone.last_at, cardinality(gone.ids), gone.digest,
      {{trust}}.gcos_now(), session_user);
  end if;
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_audit(array['governance_snapshot'], array['evolution_snapshots'], array['prune'],
    array[jsonb_build_object('snapshot_pruned', cardinality(gone.ids), 'keep', p_keep, 'before', bound, 'ids', gone.ids::text[], 'digest', gone.digest,
      'by_scope', (select coalesce(jsonb_object_agg(n.scope, n.pruned), '{}') from (select g.scope, count(*) as pruned from unnest(gone.scopes) as g(scope) group by 1) as n))::text],
    null);
  return query select g.id, g.scope from unnest(gone.ids, gone.scopes) as g(id, scope);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_prune_snapshots(integer) from public;
grant execute on function {{trust}}.gcos_prune_snapshots(integer) to {{pruner}};
set local role {{owner}};
