-- The expiry of a lease taken now. The limit exists because a long lease would keep other workers out after a
-- crash. The function compares points in time, because intervals with months compare differently from how
-- they add up.
create function {{trust}}.gcos_lease_expiry(p_ttl interval)
returns timestamptz
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  moment constant timestamptz := clock_timestamp();
  expiry constant timestamptz := moment + p_ttl;
begin
  if (expiry > moment and expiry <= moment + interval '10 minutes') is not true then
    raise exception 'the duration of a lease must be positive and at most 10 minutes, not %', coalesce(p_ttl::text, 'null')
      using errcode = 'invalid_parameter_value';
  end if;
  return expiry;
end
$gcos_function$;

-- Whether a lease is held. An expiry further away than the longest lease was set before the clock was set
-- back: it counts as expired, or no worker could take the lease for as long as the clock was wrong.
create function {{trust}}.gcos_lease_is_held(p_released boolean, p_expires_at timestamptz)
returns boolean
language sql volatile
return not p_released and p_expires_at > clock_timestamp() and p_expires_at <= clock_timestamp() + interval '10 minutes';

-- Takes the lease if it is free, released or expired, and increments the fence of every cursor under it: from
-- then on, no open work transaction of an earlier holder can commit. Returns no row while another worker
-- holds the lease.
create function {{trust}}.gcos_take_lease(p_worker text, p_source text, p_holder text, p_ttl interval, p_rounds text[], p_id_types text[])
returns table (new_fence bigint, new_expiry timestamptz, taken_from text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  former record;
  misfit text;
begin
  perform {{trust}}.gcos_lease_expiry(p_ttl);
  -- Check without a lock first, so that a waiting worker does not block the renewal of the lease.
  if exists (select from {{schema}}.gov_worker_lease l
    where l.worker = p_worker and l.source = p_source and {{trust}}.gcos_lease_is_held(l.released, l.expires_at))
  then
    return;
  end if;
  insert into {{schema}}.gov_worker_lease (worker, source, holder, fence, acquired_at, renewed_at, expires_at, released)
  values (p_worker, p_source, '', 0, '-infinity', '-infinity', '-infinity', true)
  on conflict (worker, source) do nothing;
  select l.holder, l.fence, l.expires_at, l.released into strict former
  from {{schema}}.gov_worker_lease l where l.worker = p_worker and l.source = p_source
  for no key update;
  if {{trust}}.gcos_lease_is_held(former.released, former.expires_at) then
    return;
  end if;
  update {{schema}}.gov_worker_cursor c set fence = former.fence + 1
  where c.worker = p_worker and c.source = p_source;
  insert into {{schema}}.gov_worker_cursor (worker, source, round, id_type, fence)
  select p_worker, p_source, r.round, r.id_type, former.fence + 1
  from unnest(p_rounds, p_id_types) as r(round, id_type)
  on conflict (worker, source, round) do nothing;
  select c.round into misfit
  from unnest(p_rounds, p_id_types) as r(round, id_type)
  join {{schema}}.gov_worker_cursor c on c.worker = p_worker and c.source = p_source and c.round = r.round
  where c.id_type is distinct from r.id_type
  limit 1;
  if found then
    raise exception 'cursor % of %/% has ids of another type', misfit, p_worker, p_source
      using errcode = 'invalid_parameter_value';
  end if;
  return query
  update {{schema}}.gov_worker_lease l
  set holder = p_holder, fence = former.fence + 1, acquired_at = clock_timestamp(), renewed_at = clock_timestamp(),
    expires_at = {{trust}}.gcos_lease_expiry(p_ttl), released = false
  where l.worker = p_worker and l.source = p_source
  returning l.fence, l.expires_at, case when not former.released then former.holder end;
end
$gcos_function$;

-- Updates only the lease row, never a cursor: a renewal must not wait for work, and work must not wait for a
-- renewal.
create function {{trust}}.gcos_renew_lease(p_worker text, p_source text, p_fence bigint, p_ttl interval)
returns timestamptz
language sql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  update {{schema}}.gov_worker_lease
  set renewed_at = clock_timestamp(), expires_at = {{trust}}.gcos_lease_expiry(p_ttl)
  where worker = p_worker and source = p_source and fence = p_fence and not released
  returning expires_at
$gcos_function$;

create function {{trust}}.gcos_release_lease(p_worker text, p_source text, p_fence bigint)
returns boolean
language sql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  update {{schema}}.gov_worker_lease
  set released = true, expires_at = clock_timestamp()
  where worker = p_worker and source = p_source and fence = p_fence and not released
  returning true
$gcos_function$;

revoke all on function {{trust}}.gcos_lease_expiry(interval), {{trust}}.gcos_lease_is_held(boolean, timestamptz) from public;
grant execute on function {{trust}}.gcos_lease_is_held(boolean, timestamptz) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
revoke all on function {{trust}}.gcos_take_lease(text, text, text, interval, text[], text[]) from public;
revoke all on function {{trust}}.gcos_renew_lease(text, text, bigint, interval) from public;
revoke all on function {{trust}}.gcos_release_lease(text, text, bigint) from public;
grant execute on function {{trust}}.gcos_take_lease(text, text, text, interval, text[], text[]) to {{worker}};
grant execute on function {{trust}}.gcos_renew_lease(text, text, bigint, interval) to {{worker}};
grant execute on function {{trust}}.gcos_release_lease(text, text, bigint) to {{worker}};
