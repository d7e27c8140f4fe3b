-- Writes entries of the feed in the transaction that causes them. INVARIANT: no login may call it. Payloads
-- have addresses and counts only; the functions below and their callers compose them. `p_ids`: the ids of
-- signals; null: new ones.
create function {{trust}}.gcos_feed_write(p_ids uuid[], p_types text[], p_subjects text[], p_payloads jsonb[])
returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  insert into {{schema}}.gov_feed_entry (event_id, xact, entry_type, subject, payload, occurred_at)
  select coalesce(p_ids[n.pos], gen_random_uuid()), pg_current_xact_id(), p_types[n.pos], left(p_subjects[n.pos], 500),
    jsonb_strip_nulls(p_payloads[n.pos]), {{trust}}.gcos_now()
  from generate_series(1, cardinality(p_types)) as n(pos)
  order by n.pos
$gcos_function$;
revoke all on function {{trust}}.gcos_feed_write(uuid[], text[], text[], jsonb[]) from public;
grant execute on function {{trust}}.gcos_feed_write(uuid[], text[], text[], jsonb[]) to {{source}};

-- The types of signals whose fact is in the feed under the same name, whether or not the type is active.
create function {{trust}}.gcos_feed_knows(p_type text)
returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
return p_type in ('finding.resolved', 'ruleset.activated', 'exception.granted', 'exception.revoked');
revoke all on function {{trust}}.gcos_feed_knows(text) from public;

-- Verdicts that one statement changed: an entry per group, or one for all above fifty groups.
create function {{trust}}.gcos_feed_flips()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_feed_write(null, array_agg('verdict.changed'::text order by e.subject), array_agg(e.subject order by e.subject),
    array_agg(e.payload order by e.subject))
  from (
    select 'governance_candidate_state:' || g.group_key as subject, jsonb_build_object('group_key', left(g.group_key, 200),
      'collection', left(g.collection, 200), 'changes', g.changes, 'scopes', g.scopes, 'verdicts', g.verdicts, 'run_id', g.run_id) as payload
    from (
      select h.group_key, max(h.collection_name) as collection, sum(h.changes) as changes, max(h.run_id) as run_id,
        array_agg(distinct h.scope) as scopes, jsonb_object_agg(h.scope || ':' || h.step, h.changes) as verdicts
      from (
        select c.group_key, c.scope, max(c.collection_name) as collection_name, max(c.run_id) as run_id, count(*) as changes,
          case when c.verdict_before is distinct from c.verdict_after then coalesce(c.verdict_before, 'none') || '>' || c.verdict_after
            else coalesce(c.outcome_before, 'none') || '>' || coalesce(c.outcome_after, 'none') end as step
        from changed c
        group by c.group_key, c.scope, step
      ) as h
      group by h.group_key
    ) as g
    where (select count(distinct c.group_key) from changed c) <= 50
    union all
    select 'governance_candidate_state', jsonb_build_object('groups', a.groups, 'changes', a.changes, 'run_id', a.run_id)
    from (
      select count(distinct c.group_key) as groups, count(*) as changes, max(c.run_id) as run_id from changed c
    ) as a
    where a.groups > 50
  ) as e
  having count(*) > 0;
  return null;
end
$gcos_function$;

-- Backfills and full scans: their begin and end. Scans of the backlog run every second, so only
-- their end is an entry, and only if they changed something or did not complete.
create function {{trust}}.gcos_feed_run()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  closing constant boolean := new.kind = 'backfill' or new.mode = 'full';
  what text;
begin
  if tg_op = 'INSERT' then
    what := case when closing then 'run.started' end;
  elsif new.status <> 'running' and old.status = 'running' then
    what := case when closing or new.status <> 'completed' or new.counts -> 'changed' is distinct from '0' then 'run.ended' end;
  end if;
  if what is not null then
    perform {{trust}}.gcos_feed_write(null, array[what], array['candidate_scan_run:' || new.run_id], array[jsonb_build_object(
      'run_id', new.run_id, 'kind', new.kind, 'mode', new.mode, 'status', new.status, 'phase', new.phase, 'counts', new.counts,
      'ruleset_version', new.ruleset_version)]);
  end if;
  return null;
end
$gcos_function$;

-- A batch of the sweep of a backfill.
create function {{trust}}.gcos_feed_progress()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_feed_write(null, array['run.progressed'], array['gov_worker_cursor:' || new.worker || '/' || new.source || '/' || new.round],
    array[jsonb_build_object('worker', new.worker, 'part', new.round, 'up_to', new.watermark_id, 'read', new.events_seen - old.events_seen)]);
  return null;
end
$gcos_function$;

-- A worker that took or released a lease. A renewal is no change of state.
create function {{trust}}.gcos_feed_lease()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_feed_write(null, array[case when new.released then 'worker.stopped' else 'worker.started' end],
    array['gov_worker_lease:' || new.worker || '/' || new.source],
    array[jsonb_build_object('worker', new.worker, 'source', new.source)]);
  return null;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_feed_flips(), {{trust}}.gcos_feed_run(), {{trust}}.gcos_feed_progress(), {{trust}}.gcos_feed_lease() from public;

create trigger governance_verdict_history_fed after insert on {{schema}}.governance_verdict_history
  referencing new table as changed for each statement execute function {{trust}}.gcos_feed_flips();
create trigger candidate_scan_run_fed after insert or update on {{schema}}.candidate_scan_run
  for each row execute function {{trust}}.gcos_feed_run();
create trigger gov_worker_cursor_fed after update on {{schema}}.gov_worker_cursor
  for each row when (new.worker = 'closing_run' and new.events_seen > old.events_seen) execute function {{trust}}.gcos_feed_progress();
create trigger gov_worker_lease_added after insert on {{schema}}.gov_worker_lease
  for each row when (not new.released) execute function {{trust}}.gcos_feed_lease();
create trigger gov_worker_lease_fed after update of holder, released on {{schema}}.gov_worker_lease
  for each row when (old.released <> new.released or old.holder <> new.holder) execute function {{trust}}.gcos_feed_lease();
