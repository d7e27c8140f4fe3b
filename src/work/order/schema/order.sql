set local role {{trust_owner}};
-- Work that a person orders from the workers. What became of an order is not stored: the first scan or sync
-- that began after it is its result.
create table {{trust}}.gcos_work_order (
  order_id bigint generated always as identity primary key,
  kind text not null check (kind in ('scan', 'sync')),
  subject text not null check (length(subject) between 1 and 100),
  ordered_by text not null,
  ordered_at timestamptz not null,
  constraint gcos_work_order_mode_known check (kind <> 'scan' or subject in ('incremental', 'full'))
);
comment on table {{trust}}.gcos_work_order is 'GCOS: scans and syncs that people ordered from the workers; kept for 30 days';
comment on column {{trust}}.gcos_work_order.subject is 'The mode of a scan, or the name of a source';
create index gcos_work_order_by_time on {{trust}}.gcos_work_order (ordered_at);
grant select on {{trust}}.gcos_work_order to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- Orders a scan or a sync from the workers, as the acting person, and forgets orders that are older than 30
-- days.
create function {{trust}}.gcos_order_work(p_kind text, p_subject text)
returns table (outcome text, order_id bigint, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  ordered bigint;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, 'operate') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::bigint, actor.login;
    return;
  end if;
  delete from {{trust}}.gcos_work_order o where o.ordered_at < moment - interval '30 days';
  insert into {{trust}}.gcos_work_order as o (kind, subject, ordered_by, ordered_at)
  values (p_kind, p_subject, actor.person_ref, moment)
  returning o.order_id into ordered;
  perform {{trust}}.gcos_audit(array['governance_worker'], array[ordered::text], array['order'],
    array[jsonb_build_object('kind', p_kind, 'subject', p_subject)::text], actor.person_ref);
  return query select 'ok'::text, ordered, actor.login;
end
$gcos_function$;
comment on function {{trust}}.gcos_order_work(text, text) is 'GCOS: orders a scan or a sync from the workers';
revoke all on function {{trust}}.gcos_order_work(text, text) from public;
grant execute on function {{trust}}.gcos_order_work(text, text) to {{api}}, {{server}};
set local role {{owner}};
