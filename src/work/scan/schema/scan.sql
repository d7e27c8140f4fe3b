-- Settings of scans, and the last closed ledger.

-- When the last run that closed a ledger began; null: there is none. Runs from the future (the clock was set
-- back) count only if there is no other, and then the nearest one does.
create function {{trust}}.gcos_ledger_closed_at()
returns timestamptz
-- In plpgsql, which keeps the plans.
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  moment constant timestamptz := {{trust}}.gcos_now();
begin
  return coalesce(
    (select r.started_at from {{schema}}.candidate_scan_run r
    where r.ledger is not null and r.status = 'completed' and r.started_at <= moment
    order by r.started_at desc, r.run_id desc
    limit 1),
    (select r.started_at from {{schema}}.candidate_scan_run r
    where r.ledger is not null and r.status = 'completed' and r.started_at > moment
    order by r.started_at, r.run_id
    limit 1));
end
$gcos_function$;
comment on function {{trust}}.gcos_ledger_closed_at() is 'GCOS: when the last run that closed a ledger began';
revoke all on function {{trust}}.gcos_ledger_closed_at() from public;
grant execute on function {{trust}}.gcos_ledger_closed_at() to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
