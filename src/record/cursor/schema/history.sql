-- The policy for history: setting history.keep. INVARIANT: what the worker prunes follows from the setting
-- and the server's clock; a caller can choose neither rows nor their age, only how many go at once.

set local role {{trust_owner}};
-- Up to when history of p_kind may be deleted; null: never. A setting that gives no number of days keeps all.
create function {{trust}}.gcos_history_bound(p_kind text)
returns timestamptz
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  days text;
begin
  select s.setting_value ->> (p_kind || '_days') into days from {{trust}}.governance_setting s where s.setting_key = 'history.keep';
  return case when days ~ '^[0-9]{1,5}$' then {{trust}}.gcos_now() - make_interval(days => days::integer) end;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_history_bound(text) from public;
grant execute on function {{trust}}.gcos_history_bound(text) to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};

-- Counts and audits what was pruned.
create function {{trust}}.gcos_note_pruned(p_kind text, p_pruned bigint, p_before timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if p_pruned = 0 then
    return;
  end if;
  insert into {{schema}}.gov_worker_pruned as w (kind, pruned, pruned_at) values (p_kind, p_pruned, {{trust}}.gcos_now())
  on conflict (kind) do update set pruned = w.pruned + excluded.pruned, pruned_at = excluded.pruned_at;
  perform {{trust}}.gcos_audit(array['governance_history'], array[p_kind], array['prune'],
    array[jsonb_build_object('count', p_pruned, 'before', p_before)::text], null);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_note_pruned(text, bigint, timestamptz) from public;

-- Deletes retries that were completed before the bound. Here and below: not before the oldest is a day past
-- the bound, so that idle rounds read one row of an index, and a day is one audit row.
create function {{trust}}.gcos_prune_retries(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_history_bound('retries');
  gone bigint;
begin
  if (select min(r.completed_at) from {{schema}}.gov_worker_retry r) < bound - interval '1 day' then
    delete from {{schema}}.gov_worker_retry r
    using (
      select o.retry_id from {{schema}}.gov_worker_retry o where o.completed_at < bound order by o.completed_at limit p_limit
    ) as old
    where r.retry_id = old.retry_id;
    get diagnostics gone = row_count;
    perform {{trust}}.gcos_note_pruned('retries', gone, bound);
  end if;
  return coalesce(gone, 0);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_prune_retries(integer) from public;
grant execute on function {{trust}}.gcos_prune_retries(integer) to {{worker}};
