-- The hash of an id, one function per integer type, so that the type of the host's column decides; a
-- narrow type saves a tenth of a whole fingerprint. Equal numbers have equal hashes in every type.
-- hashint8extended folds 64 bits onto 32: ids that fold together are in different ranges of 2^32, and the
-- seed includes the number of the range.
create function {{trust}}.gcos_hash_id(p_id smallint, p_seed bigint) returns bigint
language sql immutable strict parallel safe
return hashint4extended(p_id::integer, p_seed);
create function {{trust}}.gcos_hash_id(p_id integer, p_seed bigint) returns bigint
language sql immutable strict parallel safe
return hashint4extended(p_id, p_seed);
create function {{trust}}.gcos_hash_id(p_id bigint, p_seed bigint) returns bigint
language sql immutable strict parallel safe
return hashint8extended(p_id, p_seed + (p_id >> 32) + ((p_id >> 31) & 1));
revoke all on function {{trust}}.gcos_hash_id(smallint, bigint), {{trust}}.gcos_hash_id(integer, bigint), {{trust}}.gcos_hash_id(bigint, bigint)
  from public;
grant execute on function {{trust}}.gcos_hash_id(smallint, bigint), {{trust}}.gcos_hash_id(integer, bigint), {{trust}}.gcos_hash_id(bigint, bigint)
  to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- Snapshots that are still referenced. None are yet: the candidate module replaces this view.
create view {{schema}}.v_governance_snapshot_in_use as
select null::bigint as snapshot_id where false;
comment on view {{schema}}.v_governance_snapshot_in_use is 'GCOS: ids of snapshots that verdicts refer to; these are never pruned';
grant select on {{schema}}.v_governance_snapshot_in_use to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- The fingerprint of a group as one text. The maxima are not part of it: they do not identify the members.
create function {{trust}}.gcos_fingerprint(p_count bigint, p_grain bigint, p_h1 numeric, p_h2 numeric) returns text
language sql immutable parallel safe
return coalesce(p_count, 0)::text || ':' || coalesce(p_grain, 0)::text || ':' || coalesce(p_h1, 0)::text || ':' || coalesce(p_h2, 0)::text;

-- A table of its own, not columns of governance_inventory: the tail updates that table all the time, and a
-- scan must not wait for it.
create table {{schema}}.governance_inventory_snapshot (
  inventory_key text primary key references {{schema}}.governance_inventory (inventory_key),
  snapshot_ref bigint not null,
  fingerprint text not null
) with (fillfactor = 50);
comment on table {{schema}}.governance_inventory_snapshot is 'GCOS: the newest snapshot that contains each inventory group, and the fingerprint of the group in it';
grant select on {{schema}}.governance_inventory_snapshot to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant insert, update on {{schema}}.governance_inventory_snapshot to {{worker}};
revoke all on function {{trust}}.gcos_fingerprint(bigint, bigint, numeric, numeric) from public;
grant execute on function {{trust}}.gcos_fingerprint(bigint, bigint, numeric, numeric) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- Snapshots are append-only: no function changes them. The time is the beginning of the transaction that read
-- the inventory, so a verdict of the same transaction is never older than the snapshot it refers to.
create function {{trust}}.gcos_append_snapshot(p_scope text, p_metrics jsonb, p_delta jsonb, p_notes text)
returns table (appended bigint, appended_at timestamptz)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  appended_at := {{trust}}.gcos_now() - (clock_timestamp() - transaction_timestamp());
  if (p_scope in ('governance.backfill', 'governance.audit', 'governance.scan', 'governance.delta')) is not true
    or (p_metrics ->> 'format' like 'gcos-snapshot/%') is not true
    or jsonb_typeof(p_metrics -> 'groups') is distinct from 'object' then
    raise exception 'not a snapshot of GCOS' using errcode = 'invalid_parameter_value';
  end if;
  insert into {{schema}}.evolution_snapshots (snapshot_at, scope, metrics, delta_previous, notes)
  select appended_at, p_scope, p_metrics, p_delta, concat_ws(', ', 'gcos', session_user, nullif(p_notes, '')) where (select {{trust}}.gcos_enter_host())
  returning id into appended;
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_append_snapshot(text, jsonb, jsonb, text) from public;
grant execute on function {{trust}}.gcos_append_snapshot(text, jsonb, jsonb, text) to {{worker}};
