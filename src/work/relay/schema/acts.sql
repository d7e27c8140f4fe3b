-- Acts of people. Each is audited, with the place of the receiver and never a secret. INVARIANT: a presented
-- credential adds, rotates and removes none. A webhook makes the worker call an address, a private one if it
-- says so, so it takes a login of a person; a stolen login of the server has none.
create function {{trust}}.gcos_add_webhook(p_location text, p_types text[], p_format text, p_secret text, p_allow_private boolean)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  person constant text := {{trust}}.gcos_require_actor('operate');
  id bigint;
begin
  if {{trust}}.gcos_credential() <> session_user then
    raise exception 'a token cannot change webhooks' using errcode = 'UG033';
  end if;
  insert into {{schema}}.gov_webhook (location, types, format, secret, allow_private, added_at, added_by, sent_number)
  select p_location, p_types, p_format, p_secret, p_allow_private, {{trust}}.gcos_now(), person, s.last_number
  from {{schema}}.gov_feed_state s
  returning webhook_id into id;
  perform {{trust}}.gcos_audit(array['governance_webhook'], array[id::text], array['add'], array[jsonb_build_object(
    'location', left(substring(p_location from '^(?:https?://[^/?#]+|env:.*|file:.*)'), 200),
    'types', p_types, 'format', p_format, 'allow_private', p_allow_private)::text], person);
  return id;
end
$gcos_function$;

-- Both secrets sign for p_hours.
create function {{trust}}.gcos_rotate_webhook(p_id bigint, p_secret text, p_hours integer)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  person constant text := {{trust}}.gcos_require_actor('operate');
begin
  if {{trust}}.gcos_credential() <> session_user then
    raise exception 'a token cannot change webhooks' using errcode = 'UG033';
  end if;
  update {{schema}}.gov_webhook w
  set former_secret = w.secret, former_until = {{trust}}.gcos_now() + make_interval(hours => least(greatest(p_hours, 0), 720)), secret = p_secret
  where w.webhook_id = p_id and p_secret is not null;
  if not found then
    return false;
  end if;
  perform {{trust}}.gcos_audit(array['governance_webhook'], array[p_id::text], array['rotate'], array[jsonb_build_object('hours', p_hours)::text], person);
  return true;
end
$gcos_function$;

-- Its dead letters end with it.
create function {{trust}}.gcos_remove_webhook(p_id bigint)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  person constant text := {{trust}}.gcos_require_actor('operate');
  ended bigint;
begin
  if {{trust}}.gcos_credential() <> session_user then
    raise exception 'a token cannot change webhooks' using errcode = 'UG033';
  end if;
  delete from {{schema}}.gov_webhook w where w.webhook_id = p_id;
  if not found then
    return false;
  end if;
  update {{schema}}.gov_worker_retry r set completed_at = {{trust}}.gcos_now()
  where r.worker = 'relay' and r.source = 'gov_webhook' and r.completed_at is null and starts_with(r.failed_ref, p_id || '/');
  get diagnostics ended = row_count;
  perform {{trust}}.gcos_audit(array['governance_webhook'], array[p_id::text], array['remove'], array[jsonb_build_object('dead_letters', ended)::text],
    person);
  return true;
end
$gcos_function$;

-- What the relay has sent: entries up to p_number were received, p_delivered of them by this webhook's types.
create function {{trust}}.gcos_webhook_sent(p_id bigint, p_number bigint, p_delivered bigint)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  update {{schema}}.gov_webhook w
  set sent_number = greatest(w.sent_number, p_number), delivered = w.delivered + p_delivered,
    delivered_at = case when p_delivered > 0 then {{trust}}.gcos_now() else w.delivered_at end,
    failures = case when p_delivered > 0 then 0 else w.failures end,
    failing_since = case when p_delivered = 0 then w.failing_since end,
    next_attempt_at = case when p_delivered = 0 then w.next_attempt_at end,
    last_error = case when p_delivered = 0 then w.last_error end
  where w.webhook_id = p_id;
  return found;
end
$gcos_function$;

-- A failed attempt. The next one follows after a pause that doubles up to an hour, with half of it at random,
-- and not before the receiver asked for (at most a day).
create function {{trust}}.gcos_webhook_failed(p_id bigint, p_error text, p_retry_after double precision, p_gone boolean)
returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  failed integer;
begin
  update {{schema}}.gov_webhook w
  set failures = w.failures + 1, failing_since = coalesce(w.failing_since, {{trust}}.gcos_now()), last_error = left(p_error, 500),
    next_attempt_at = {{trust}}.gcos_now() + make_interval(secs => greatest(least(coalesce(p_retry_after, 0), 86400),
      least(3600, 5 * 2 ^ least(w.failures, 20)) * (0.5 + random() / 2))),
    disabled_at = case when p_gone then {{trust}}.gcos_now() else w.disabled_at end
  where w.webhook_id = p_id
  returning w.failures into failed;
  return coalesce(failed, 0);
end
$gcos_function$;

-- Makes dead letters of these entries, which are waiting for the webhook: those older than three days, or all
-- if the receiver refuses them as such. The letters hold the entries, which the feed forgets.
create function {{trust}}.gcos_webhook_give_up(p_id bigint, p_numbers bigint[], p_refused boolean)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  buried bigint;
  newest bigint;
begin
  with dead as (
    select f.number, e.event_id, e.entry_type, e.subject, e.payload, e.occurred_at, w.failing_since, w.failures, w.last_error
    from {{schema}}.gov_webhook w
    join {{schema}}.gov_feed f on f.number > w.sent_number and f.number = any (p_numbers)
    join {{schema}}.gov_feed_entry e on e.entry_id = f.entry_id
    where w.webhook_id = p_id and w.failures > 0 and (p_refused or f.numbered_at < {{trust}}.gcos_now() - interval '3 days')
  ),
  letters as (
    insert into {{schema}}.gov_worker_retry (worker, source, round, failed_table, failed_ref, address, failures, last_error, detail,
      first_failed_at, last_failed_at, next_attempt_at, dead_lettered_at)
    select 'relay', 'gov_webhook', 'main', 'gov_webhook', p_id || '/' || d.event_id, d.subject, d.failures, d.last_error,
      jsonb_build_object('number', d.number::text, 'id', d.event_id, 'type', d.entry_type, 'subject', d.subject, 'payload', d.payload,
        'occurred_at', d.occurred_at::text),
      d.failing_since, {{trust}}.gcos_now(), null, {{trust}}.gcos_now()
    from dead d
    order by d.number
    on conflict do nothing
  )
  select count(*), max(d.number) into buried, newest from dead d;
  if buried > 0 then
    update {{schema}}.gov_webhook w
    set sent_number = greatest(w.sent_number, newest),
      failures = case when p_refused then 0 else w.failures end, failing_since = case when not p_refused then w.failing_since end,
      next_attempt_at = case when not p_refused then w.next_attempt_at end
    where w.webhook_id = p_id;
    update {{schema}}.gov_worker_cursor c set dead_lettered = c.dead_lettered + buried
    where c.worker = 'relay' and c.source = 'gov_webhook' and c.round = 'main';
  end if;
  return buried;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_add_webhook(text, text[], text, text, boolean), {{trust}}.gcos_rotate_webhook(bigint, text, integer),
  {{trust}}.gcos_remove_webhook(bigint), {{trust}}.gcos_webhook_sent(bigint, bigint, bigint),
  {{trust}}.gcos_webhook_failed(bigint, text, double precision, boolean), {{trust}}.gcos_webhook_give_up(bigint, bigint[], boolean) from public;
grant execute on function {{trust}}.gcos_add_webhook(text, text[], text, text, boolean), {{trust}}.gcos_rotate_webhook(bigint, text, integer),
  {{trust}}.gcos_remove_webhook(bigint) to {{api}}, {{server}};
grant execute on function {{trust}}.gcos_webhook_sent(bigint, bigint, bigint),
  {{trust}}.gcos_webhook_failed(bigint, text, double precision, boolean), {{trust}}.gcos_webhook_give_up(bigint, bigint[], boolean) to {{worker}};
