-- The run records. INVARIANT: only these functions write them. The times are the server's, and a run that has
-- ended is never changed: its ledger, its proof and its times stay as they were closed.
create function {{trust}}.gcos_begin_run(p_run_id text, p_kind text, p_mode text, p_snapshot_ref bigint, p_ruleset_version text, p_phase text, p_counts jsonb)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  insert into {{schema}}.candidate_scan_run (run_id, kind, mode, status, started_at, source_snapshot_ref, ruleset_version, phase, counts)
  values (p_run_id, p_kind, p_mode, 'running', {{trust}}.gcos_now(), p_snapshot_ref, p_ruleset_version, p_phase, p_counts)
  on conflict (run_id) do nothing;
  return found;
end
$gcos_function$;

-- Updates or ends a running run; null leaves a column unchanged. False: the run does not exist or has ended.
create function {{trust}}.gcos_write_run(p_run_id text, p_status text, p_snapshot_ref bigint, p_closing_snapshot_ref bigint, p_ruleset_version text,
  p_phase text, p_counts jsonb, p_proof jsonb, p_ledger jsonb, p_error text)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  update {{schema}}.candidate_scan_run r
  set status = p_status, finished_at = case when p_status <> 'running' then {{trust}}.gcos_now() end,
    source_snapshot_ref = coalesce(p_snapshot_ref, r.source_snapshot_ref),
    closing_snapshot_ref = coalesce(p_closing_snapshot_ref, r.closing_snapshot_ref),
    ruleset_version = coalesce(p_ruleset_version, r.ruleset_version), phase = coalesce(p_phase, r.phase),
    counts = coalesce(p_counts, r.counts), proof = coalesce(p_proof, r.proof), ledger = coalesce(p_ledger, r.ledger),
    error = p_error
  where r.run_id = p_run_id and r.status = 'running';
  return found;
end
$gcos_function$;

-- Ends the records of runs that were killed, except p_except: closing runs (p_closing) or scans of the
-- backlog. With p_worker, only while no process holds that lease.
create function {{trust}}.gcos_end_runs(p_closing boolean, p_except text, p_worker text, p_source text, p_error text)
returns setof text
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return query
  update {{schema}}.candidate_scan_run r
  set status = 'failed', finished_at = {{trust}}.gcos_now(), error = p_error
  where (r.kind = 'backfill' or r.mode = 'full') = p_closing and r.status = 'running' and r.run_id is distinct from p_except
    and (p_worker is null or not exists (
      select from {{schema}}.gov_worker_lease l
      where l.worker = p_worker and l.source = p_source and {{trust}}.gcos_lease_is_held(l.released, l.expires_at)))
  returning r.run_id;
end
$gcos_function$;

-- Deletes the records of ended scans of the backlog that are older than the bound of history.keep, except the
-- last completed one. Backfills and full scans stay: they have the ledgers, and the log names them.
create function {{trust}}.gcos_prune_runs(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_history_bound('runs');
  gone bigint;
begin
  if (select min(r.started_at) from {{schema}}.candidate_scan_run r where r.mode in ('event', 'incremental') and r.status <> 'running')
    < bound - interval '1 day' then
    delete from {{schema}}.candidate_scan_run r
    using (
      select o.run_id from {{schema}}.candidate_scan_run o
      where o.mode in ('event', 'incremental') and o.status <> 'running' and o.started_at < bound and o.ledger is null
      order by o.started_at limit p_limit
    ) as old
    where r.run_id = old.run_id and r.run_id <> (
      select c.run_id from {{schema}}.candidate_scan_run c where c.status = 'completed' order by c.started_at desc, c.run_id desc limit 1);
    get diagnostics gone = row_count;
    perform {{trust}}.gcos_note_pruned('runs', gone, bound);
  end if;
  return coalesce(gone, 0);
end
$gcos_function$;

revoke all on function {{trust}}.gcos_prune_runs(integer) from public;
grant execute on function {{trust}}.gcos_prune_runs(integer) to {{worker}};
revoke all on function {{trust}}.gcos_begin_run(text, text, text, bigint, text, text, jsonb),
  {{trust}}.gcos_write_run(text, text, bigint, bigint, text, text, jsonb, jsonb, jsonb, text),
  {{trust}}.gcos_end_runs(boolean, text, text, text, text) from public;
grant execute on function {{trust}}.gcos_begin_run(text, text, text, bigint, text, text, jsonb),
  {{trust}}.gcos_write_run(text, text, bigint, bigint, text, text, jsonb, jsonb, jsonb, text),
  {{trust}}.gcos_end_runs(boolean, text, text, text, text) to {{worker}};
