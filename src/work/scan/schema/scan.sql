-- Settings of scans, and the last closed ledger.
insert into {{trust}}.governance_setting (setting_key, setting_value, about)
values
  ('scan.pace', '{"debounce_ms": 1000, "at_once": 500, "full_share": 0.2, "storm_at_once": 50, "units_at_once": 20000}',
    'how long an event scan waits after a mark, how many inventory groups one transaction evaluates, from which share of waiting groups on all of them are evaluated at once, how many a run evaluates in a storm, and how many units (in each scope) one transaction evaluates at most, unless a single group has more'),
  ('scan.risk', '{"write_high": 8, "write_low": 4, "read": 2, "descriptive": 1}',
    'the weight of one second of waiting per risk class: scans take groups in order of weight times time'),
  ('scan.lag', '{"seconds": 900, "groups": 1000}',
    'how long a mark may wait, and how many groups may, before `candidate_scan_lag` is raised'),
  ('scan.audit', '{"every_hours": 24, "window": null, "overdue_hours": 48}',
    'how often the worker runs a full audit; in which hours of the day it may, for example {"from": "01:00", "to": "05:00"} in UTC (null: always); and after how many hours without a closed ledger `audit_overdue` is raised');

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
grant execute on function {{trust}}.gcos_ledger_closed_at() to {{reader}}, {{worker}}, {{api}}, {{pruner}};
