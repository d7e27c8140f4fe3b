set local role {{trust_owner}};
-- Deletes the checks up to p_up_to, a bound of whole sealed ranges, and records the range with the digest of
-- its rows, so pruning cannot happen silently.
create function {{trust}}.gcos_delete_answers(p_up_to bigint, p_before timestamptz)
returns table (decisions bigint, checks bigint)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
declare
  gone record;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  with deleted as (
    delete from {{trust}}.governance_gate_answer a
    where a.check_id <= p_up_to
    returning a.check_id, a.first_item, a.decided_at, cardinality(a.item_nos) as items, sha256(convert_to(to_jsonb(a)::text, 'UTF8')) as row_hash
  )
  select count(*) as rows, coalesce(sum(d.items), 0)::bigint as items, count(distinct d.check_id) as checks, min(d.check_id) as first_id,
    max(d.check_id) as last_id, min(d.decided_at) as first_at, max(d.decided_at) as last_at,
    encode(sha256(string_agg(d.row_hash, ''::bytea order by d.check_id, d.first_item)), 'hex') as digest
  into gone from deleted d;
  if gone.rows > 0 then
    insert into {{trust}}.governance_pruned_range (kind, first_id, last_id, first_at, last_at, row_count, digest, pruned_at, login)
    values ('gate', gone.first_id, gone.last_id, gone.first_at, gone.last_at, gone.rows, gone.digest, {{trust}}.gcos_now(), session_user);
  end if;
  perform {{trust}}.gcos_audit(array['governance_gate'], array['governance_gate_answer'], array['prune'],
    array[jsonb_build_object('decisions', gone.items, 'checks', gone.checks, 'before', p_before, 'first_check', gone.first_id,
      'last_check', gone.last_id, 'digest', gone.digest)::text], null);
  return query select gone.items, gone.checks;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_delete_answers(bigint, timestamptz) from public;

-- Deletes the checks made before p_before: the oldest ones without a gap, and never one that is younger than
-- the minimum age of the setting prune.minimum_age. UG004: the bound is not old enough.
create function {{trust}}.gcos_prune_gate(p_before timestamptz)
returns table (decisions bigint, checks bigint)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_prune_bound('gate');
  first_kept bigint;
begin
  if (p_before <= bound) is not true then
    raise exception 'decisions may be pruned up to %, not up to %', bound, coalesce(p_before::text, 'null') using errcode = 'UG004';
  end if;
  -- One session at a time; checks go on.
  lock table {{trust}}.governance_gate_answer in share update exclusive mode;
  select min(a.check_id) into first_kept from {{trust}}.governance_gate_answer a where a.decided_at >= p_before;
  -- Only whole sealed ranges, so that what remains can still be compared with its seal.
  return query select d.decisions, d.checks
  from {{trust}}.gcos_delete_answers(least(first_kept - 1, {{trust}}.gcos_gate_prunable(p_before)), p_before) d;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_prune_gate(timestamptz) from public;
grant execute on function {{trust}}.gcos_prune_gate(timestamptz) to {{pruner}};

-- Prunes decisions that are older than the setting history.keep, and never younger ones than
-- prune.minimum_age: about p_limit answers at a time, in whole sealed ranges, and not before the oldest is a
-- day past the bound.
create function {{trust}}.gcos_prune_decisions(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := case when {{trust}}.gcos_history_bound('decisions') is not null
    then least({{trust}}.gcos_history_bound('decisions'), {{trust}}.gcos_prune_bound('gate')) end;
  oldest record;
  up_to bigint;
  gone bigint;
begin
  select a.check_id, a.decided_at into oldest from {{trust}}.governance_gate_answer a order by a.check_id limit 1;
  if (oldest.decided_at < bound - interval '1 day') is not true then
    return 0;
  end if;
  lock table {{trust}}.governance_gate_answer in share update exclusive mode;
  select max(s.to_check) into up_to
  from (
    select g.to_check, sum(g.answers) over (order by g.to_check) - g.answers as before,
      bool_and(g.last_decided_at < bound) over (order by g.to_check) as is_old
    from (
      select b.to_check, b.answers, b.last_decided_at from {{trust}}.gcos_gate_seal b
      where b.to_check >= oldest.check_id order by b.to_check limit 5000
    ) g
  ) s
  where s.is_old and s.before < p_limit;
  if up_to is null then
    return 0;
  end if;
  select d.decisions into gone from {{trust}}.gcos_delete_answers(up_to, bound) d;
  return gone;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_prune_decisions(integer) from public;
grant execute on function {{trust}}.gcos_prune_decisions(integer) to {{worker}};
set local role {{owner}};
