-- All candidate rows that answer for the subject of a pass: the object's own rows, else those of its
-- container; for a group all its rows.
create function {{trust}}.gcos_break_glass_rows(p_pass text)
returns table (row_id bigint, scan_time timestamptz, is_evaluated boolean)
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select {{trust}}.gcos_require_owner();
  with own as materialized (
    select c.row_id, c.scan_time, not c.coverage_required or coalesce(c.coverage_outcome, 'not_evaluated') <> 'not_evaluated' as is_evaluated
    from {{trust}}.governance_break_glass p
    join {{schema}}.governance_candidate_object c
      on c.object_key = {{trust}}.gcos_object_key(p.collection_name, p.entity_code) and c.row_state in ('active', 'retired')
    where p.pass_code = p_pass and p.collection_name is not null
    union all
    select c.row_id, c.scan_time, not c.coverage_required or coalesce(c.coverage_outcome, 'not_evaluated') <> 'not_evaluated'
    from {{trust}}.governance_break_glass p
    join {{schema}}.governance_candidate_object c on c.inventory_key = p.inventory_key and c.row_state = 'active'
    where p.pass_code = p_pass and p.inventory_key is not null
  )
  select o.row_id, o.scan_time, o.is_evaluated
  from own o
  union all
  select c.row_id, c.scan_time, not c.coverage_required or coalesce(c.coverage_outcome, 'not_evaluated') <> 'not_evaluated'
  from {{trust}}.governance_break_glass p
  join {{schema}}.governance_candidate_state c on c.inventory_key = coalesce(p.inventory_key, p.container_key) and c.row_state in ('active', 'retired')
  where p.pass_code = p_pass and (p.inventory_key is not null or not exists (select from own));
$gcos_function$;

-- Whether all rows of the subject of a pass were evaluated after its end, and are valid.
create function {{trust}}.gcos_break_glass_reviewed(p_pass text, p_ends_at timestamptz, p_at timestamptz)
returns boolean
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select {{trust}}.gcos_require_owner();
  select coalesce(bool_and(r.scan_time > p_ends_at and r.is_evaluated and coalesce(v.valid, false)), false)
  from {{trust}}.gcos_break_glass_rows(p_pass) r
  left join {{trust}}.governance_validity(p_at) v on v.row_id = r.row_id;
$gcos_function$;
-- The inventory group of the subject of a pass: of a group by its own key or the key of one of its scopes, of
-- an object by its birth, else by its own rows. Null: there is no such subject.
create function {{trust}}.gcos_break_glass_place(p_collection text, p_code text, p_group text)
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_owner();
  return coalesce(
    (select g.inventory_key from {{trust}}.gcos_gate_groups(array[p_collection], array[p_code], array[p_group]) g limit 1),
    (select min(o.inventory_key) from {{schema}}.governance_candidate_object o
      where o.object_key = {{trust}}.gcos_object_key(p_collection, p_code) and o.row_state = 'active'));
end
$gcos_function$;
revoke all on function {{trust}}.gcos_break_glass_rows(text), {{trust}}.gcos_break_glass_reviewed(text, timestamptz, timestamptz),
  {{trust}}.gcos_break_glass_place(text, text, text) from public;
grant execute on function {{trust}}.gcos_break_glass_rows(text), {{trust}}.gcos_break_glass_reviewed(text, timestamptz, timestamptz),
  {{trust}}.gcos_break_glass_place(text, text, text) to {{trust_owner}};

set local role {{trust_owner}};
-- Opens the request for a pass and records the pass that waits for its approval. This alone does not put it
-- in force. INVARIANT: the request and the pass have the same terms, because one statement derives both; no
-- caller chooses the approval of a pass.
create function {{trust}}.gcos_open_break_glass(
  p_collection text, p_code text, p_group text, p_stage text, p_action text, p_minutes integer, p_reason text, p_as text)
returns table (outcome text, pass_code text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  limits jsonb := coalesce({{trust}}.gcos_rule_setting('gate.break_glass'), '{}');
  place text;
  terms jsonb;
  request record;
  moment timestamptz;
  written text;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_break_glass_place(text, text, text)');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login, a.verified, a.login_person into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, actor.login;
    return;
  end if;
  if (p_minutes between 1 and coalesce((limits ->> 'longest_minutes')::integer, 60)) is not true then
    return query select 'too_long'::text, null::text, actor.login;
    return;
  end if;
  if coalesce(btrim(p_reason), '') = '' then
    return query select 'reason_missing'::text, null::text, actor.login;
    return;
  end if;
  if (p_collection is null) = (p_code is null) and (p_collection is null) <> (p_group is null) then
    place := {{trust}}.gcos_break_glass_place(p_collection, p_code, p_group);
  end if;
  if place is null then
    return query select 'subject_unknown'::text, null::text, actor.login;
    return;
  end if;
  terms := {{trust}}.gcos_break_glass_terms(p_collection, p_code, case when p_group is not null then place end, p_stage, p_action, p_minutes);
  select w.outcome, w.request_code into request
  from {{trust}}.gcos_write_request('gcos.gate.break_glass', jsonb_build_object('break_glass', terms, 'reason', p_reason), actor.person_ref,
    actor.login, actor.login_person, actor.verified) w;
  if request.outcome <> 'ok' then
    return query select request.outcome, null::text, actor.login;
    return;
  end if;
  moment := {{trust}}.gcos_now();
  insert into {{trust}}.governance_break_glass as p (
    collection_name, entity_code, inventory_key, container_key, stage, action, minutes, reason, requested_by, requested_at, approve_by,
    approval_ref)
  values (p_collection, p_code, case when p_group is not null then place end, case when p_group is null then place end, p_stage, p_action,
    p_minutes, p_reason, actor.person_ref, moment,
    moment + make_interval(mins => coalesce((limits ->> 'approve_within_minutes')::integer, 60)), request.request_code)
  returning p.pass_code into written;
  return query select 'ok'::text, written, actor.login;
end
$gcos_function$;

-- Ends a pass that is in force or waiting, now and for good.
create function {{trust}}.gcos_close_break_glass(p_pass text, p_as text)
returns table (outcome text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment timestamptz;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, actor.login;
    return;
  end if;
  -- Read the clock after waiting for the row, so that a check that relied on the pass before is not later
  -- than its end.
  perform from {{trust}}.governance_break_glass p where p.pass_code = p_pass for update;
  moment := {{trust}}.gcos_now();
  update {{trust}}.governance_break_glass p
  set closed_at = moment, closed_by = actor.person_ref
  where p.pass_code = p_pass and p.closed_at is null
    and exists (select from {{trust}}.governance_break_glass_status(moment) s where s.pass_code = p_pass and s.status in ('waiting', 'in_force'));
  return query select case when found then 'ok' else 'not_open' end, actor.login;
end
$gcos_function$;

-- Stores the beginning of passes that a decision relies on, in its transaction: what was relied on stays in
-- force then, also if its approval is deleted later. Only gcos_gate_check() calls it.
create function {{trust}}.gcos_rely_on_passes(p_passes text[], p_at timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  -- In the order of the passes, so that two checks do not wait for each other.
  perform from {{trust}}.governance_break_glass p where p.pass_code = any (p_passes) and p.began_at is null order by p.pass_id for update;
  if found then
    update {{trust}}.governance_break_glass p
    set began_at = coalesce((select s.began_at from {{trust}}.gcos_break_glass_state(p_at, true) s where s.pass_code = p.pass_code), p_at)
    where p.pass_code = any (p_passes) and p.began_at is null;
  end if;
end
$gcos_function$;

-- Processes all passes that have begun and are not verified. Writes the beginning to the audit log,
-- once. After the end, returns the rows to re-evaluate (row_ids), once. When all rows were re-evaluated after
-- the end and are valid, the pass is verified for good. Returns the passes that are not verified. INVARIANT:
-- the end of its time alone does not verify a pass.
create function {{trust}}.gcos_sync_break_glass()
returns table (
  pass_code text, collection_name text, entity_code text, inventory_key text, stage text, action text, approval_ref text,
  began_at timestamptz, ends_at timestamptz, row_ids bigint[])
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  moment constant timestamptz := {{trust}}.gcos_now();
  begun text[];
  details text[];
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)',
    '{{trust}}.gcos_break_glass_rows(text)', '{{trust}}.gcos_break_glass_reviewed(text, timestamptz, timestamptz)');
  if not exists (select from {{trust}}.governance_break_glass p where p.verified_at is null) then
    return;
  end if;
  with noted as (
    update {{trust}}.governance_break_glass p
    set noted_at = moment, began_at = coalesce(p.began_at, s.began_at)
    from {{trust}}.governance_break_glass_status(moment) s
    where s.pass_code = p.pass_code and s.began_at <= moment and p.noted_at is null
    returning p.pass_code, jsonb_build_object('collection', p.collection_name, 'code', p.entity_code, 'inventory_key', p.inventory_key,
      'stage', p.stage, 'action', p.action, 'minutes', p.minutes, 'requested_by', p.requested_by, 'approval_ref', p.approval_ref,
      'began_at', s.began_at)::text as detail
  )
  select array_agg(n.pass_code order by n.pass_code), array_agg(n.detail order by n.pass_code) into begun, details
  from noted n;
  if begun is not null then
    perform {{trust}}.gcos_audit(array_fill('governance_gate'::text, array[cardinality(begun)]), begun,
      array_fill('break_glass'::text, array[cardinality(begun)]), details, null);
  end if;
  -- Again, because the host's code ran.
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_break_glass_rows(text)',
    '{{trust}}.gcos_break_glass_reviewed(text, timestamptz, timestamptz)');
  update {{trust}}.governance_break_glass p
  set verified_at = moment
  from {{trust}}.governance_break_glass_status(moment) s
  where s.pass_code = p.pass_code and p.verified_at is null and p.noted_at is not null and s.ends_at <= moment
    and {{trust}}.gcos_break_glass_reviewed(p.pass_code, s.ends_at, moment);
  return query
  with marked as (
    update {{trust}}.governance_break_glass p
    set marked_at = moment
    from {{trust}}.governance_break_glass_status(moment) s
    where s.pass_code = p.pass_code and p.verified_at is null and p.marked_at is null and p.noted_at is not null and s.ends_at <= moment
    returning p.pass_code
  )
  select s.pass_code, s.collection_name, s.entity_code, s.inventory_key, s.stage, s.action, s.approval_ref, s.began_at, s.ends_at,
    case when m.pass_code is null then '{}' else array(select r.row_id from {{trust}}.gcos_break_glass_rows(s.pass_code) r order by r.row_id) end
  from {{trust}}.governance_break_glass_status(moment) s
  join {{trust}}.governance_break_glass p on p.pass_code = s.pass_code
  left join marked m on m.pass_code = s.pass_code
  where p.verified_at is null and p.noted_at is not null
  order by s.pass_code;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_open_break_glass(text, text, text, text, text, integer, text, text),
  {{trust}}.gcos_close_break_glass(text, text), {{trust}}.gcos_rely_on_passes(text[], timestamptz), {{trust}}.gcos_sync_break_glass() from public;
grant execute on function {{trust}}.gcos_open_break_glass(text, text, text, text, text, integer, text, text),
  {{trust}}.gcos_close_break_glass(text, text) to {{worker}}, {{api}}, {{server}};
grant execute on function {{trust}}.gcos_sync_break_glass() to {{worker}};
set local role {{owner}};
