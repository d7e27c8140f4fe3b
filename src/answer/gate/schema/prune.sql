set local role {{trust_owner}};
-- Deletes the checks made before p_before: the oldest ones without a gap, and never one that is younger than
-- the minimum age of the setting prune.minimum_age. It records the range with the digest of its rows, so
-- pruning cannot happen silently. UG004: the bound is not old enough.
create function {{trust}}.gcos_prune_gate(p_before timestamptz)
returns table (decisions bigint, checks bigint)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_prune_bound('gate');
  first_kept bigint;
  gone record;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  if (p_before <= bound) is not true then
    raise exception 'decisions may be pruned up to %, not up to %', bound, coalesce(p_before::text, 'null') using errcode = 'UG004';
  end if;
  -- One session at a time; checks go on.
  lock table {{trust}}.governance_gate_answer in share update exclusive mode;
  select min(a.check_id) into first_kept from {{trust}}.governance_gate_answer a where a.decided_at >= p_before;
  -- Only whole sealed ranges, so that what remains can still be compared with its seal.
  first_kept := least(first_kept, {{trust}}.gcos_gate_prunable(p_before) + 1);
  with deleted as (
    delete from {{trust}}.governance_gate_answer a
    where a.decided_at < p_before and a.check_id < first_kept
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
revoke all on function {{trust}}.gcos_prune_gate(timestamptz) from public;
grant execute on function {{trust}}.gcos_prune_gate(timestamptz) to {{pruner}};
set local role {{owner}};
