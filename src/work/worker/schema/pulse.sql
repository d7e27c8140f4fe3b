-- What the duties of a worker wait for, in one call without a transaction around it: every setting that the
-- answer depends on is the function's own. The answer only decides how long a duty rests.
--
-- `changes` stands for the counters of all partitions, and of all tables of the host's schema but those that
-- GCOS writes and the intake does not read; null: the server does not count. A session may report its counts
-- up to ten seconds after its commit. `leases` depend on the time. All else changes only with a commit: null
-- while the snapshot is `p_known`. `births`: a near round would find one. `signals`: the newest held signal,
-- and the types that are active. `request`: the last requested round. `feed`: its last number, and whether an
-- entry waits for one.
create function {{trust}}.gcos_pulse(p_known text)
returns table (snapshot text, leases text[], changes text, births boolean, dirty boolean, signals text, undelivered boolean,
  request bigint, feed text)
language plpgsql stable
rows 1
set search_path = pg_catalog, pg_temp
set row_security = off
set jit = off
-- A host that alters birth_registry delays a duty's rest, and no more.
set lock_timeout = '2s'
as $gcos_function$
begin
  snapshot := pg_current_snapshot()::text;
  leases := coalesce((
    select array_agg(l.worker || '/' || l.source) from {{schema}}.gov_worker_lease l
    where {{trust}}.gcos_lease_is_held(l.released, l.expires_at)), '{}');
  -- The first value of a sequence is its last one before it is drawn, too.
  request := (select case when q.is_called then q.last_value else 0 end from {{schema}}.gov_intake_request q);
  if current_setting('track_counts')::boolean then
    changes := (
      select sum(hashint8extended(
        pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid),
        hashoidextended(c.relfilenode, hashoidextended(c.oid, 4703202606014703))))::text
      from pg_class c
      where c.relkind = 'r'
        and (c.relispartition
          or c.relnamespace = (select b.relnamespace from pg_class b where b.oid = '{{schema}}.birth_registry'::regclass))
        and c.relname !~ '^(gov_|governance_(candidate|inventory|group|verdict|hold|signal|delivery)|candidate_scan_run$|event_pending$|queue_heartbeat$)');
  end if;
  if snapshot is distinct from p_known then
    births := coalesce((
      select b.id from {{schema}}.birth_registry b
      where b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null
      order by b.id desc
      limit 1) > (
        select coalesce(n.watermark_id::bigint, -9223372036854775808) from {{schema}}.gov_worker_cursor n
        where n.worker = 'intake' and n.source = 'birth_registry' and n.round = 'near'), false)
      or exists (
        select from {{schema}}.gov_intake_gap g
        cross join lateral (
          select from {{schema}}.birth_registry b
          where b.id >= g.first_id and b.id <= g.last_id
            and b.id is not null and b.collection_name is not null and b.entity_code is not null and b.born_at is not null
          order by b.id
          limit 1
        ) as found
        where g.source = 'birth_registry');
    dirty := exists (
        select from {{schema}}.governance_candidate_state c
        where c.dirty and c.row_state = 'active' and c.recompute_status <> 'failed')
      or exists (
        select from {{schema}}.governance_candidate_object o
        where o.dirty and o.row_state = 'active' and o.recompute_status <> 'failed');
    signals := concat_ws(':', (select max(h.order_no) from {{schema}}.governance_hold h),
      (select sum(hashtextextended(r.event_type, 0)) from {{schema}}.event_type_registry r where r.active));
    undelivered := exists (select from {{schema}}.governance_delivery_fault);
    feed := {{trust}}.gcos_feed_pulse();
  end if;
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_pulse(text) from public;
grant execute on function {{trust}}.gcos_pulse(text) to {{worker}};
