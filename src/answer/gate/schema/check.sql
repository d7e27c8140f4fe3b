-- The gate: answers and records in one statement. INVARIANT: if an answer cannot be recorded, the whole check
-- fails.
create function gcos_gate_check(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_at timestamptz, p_closed text[])
returns setof governance_gate_answer
language plpgsql
security definer
set search_path = {{schema}}, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $gcos_function$
#variable_conflict use_column
declare
  this_check constant bigint := nextval('governance_gate_check_seq');
  moment constant timestamptz := statement_timestamp();
  questions constant integer := cardinality(p_collections);
  recorded governance_gate_answer;
  rescan boolean := false;
  consulted boolean := false;
begin
  perform gcos_commit_durably();
  if (questions = all (array[cardinality(p_codes), cardinality(p_groups), cardinality(p_stages), cardinality(p_actions)])
    and p_stages <@ array['design', 'impl', 'route', 'prod'] and p_actions <@ array['read', 'write', 'execute']) is not true then
    raise exception 'every question needs a subject, a stage and an action' using errcode = 'invalid_parameter_value';
  end if;
  for recorded in
    insert into governance_gate_answer as d (
      check_id, first_item, item_nos, entity_codes, decided_at, as_of, watched_at, high_risk, answer, mode, stage, action, login, person_ref,
      collection_name, requested_group, inventory_key, pass_code, scopes, snapshot_refs, ruleset_versions, scan_times, reasons)
    select this_check, min(e.item_no), array_agg(e.item_no), array_agg(e.entity_code), moment, coalesce(p_at, moment), e.watched_at, e.high_risk, e.answer,
      e.mode, e.stage, e.action, session_user, (select p.person_ref from governance_actor p where p.login = session_user and p.active),
      e.collection_name, e.requested_group, e.inventory_key, e.pass_code, e.scopes, e.snapshot_refs, e.ruleset_versions, e.scan_times, e.reasons
    from gcos_gate_evaluate(p_collections, p_codes, p_groups, p_stages, p_actions, coalesce(p_at, moment), p_closed) e
    group by e.collection_name, e.requested_group, e.stage, e.action, e.answer, e.mode, e.high_risk, e.inventory_key, e.pass_code, e.scopes,
      e.snapshot_refs, e.ruleset_versions, e.scan_times, e.reasons, e.watched_at
    returning d.*
  loop
    return next recorded;
    rescan := rescan or recorded.answer = 'allow_and_rescan';
    -- Most objects have rows of their own: looking for a container first saves a fifth of recording.
    consulted := consulted or recorded.high_risk and recorded.stage = 'prod' and recorded.action <> 'read'
      and recorded.requested_group is null and exists (
        select from governance_candidate_state c
        where c.inventory_key = recorded.inventory_key and c.row_state = 'active' and c.weight = 1 and c.risk_class = 'write_high');
  end loop;
  if rescan then
    perform gcos_gate_mark(this_check, moment);
  end if;
  if consulted then
    perform gcos_gate_consult(this_check, moment);
  end if;
end
$gcos_function$;
comment on function gcos_gate_check(text[], text[], text[], text[], text[], timestamptz, text[]) is 'GCOS: the gate: answers questions and records the answers';

-- Marks the rows that answered allow_and_rescan, and their groups, as dirty. Skips rows that another session
-- has locked: that session is re-evaluating them.
create function gcos_gate_mark(p_check bigint, p_at timestamptz)
returns void
language plpgsql
as $gcos_function$
begin
  with due as materialized (
    select o.row_id
    from governance_gate_decision d
    join governance_candidate_object o on o.object_key = gcos_object_key(d.collection_name, d.entity_code) and o.scope = any (d.scopes)
    where d.check_id = p_check and d.answer = 'allow_and_rescan' and o.row_state = 'active' and not o.dirty
    order by o.row_id
    for update of o skip locked
  )
  update governance_candidate_object o
  set dirty = true, dirty_reason = 'gate:allow_and_rescan', dirtied_at = p_at, updated_at = p_at
  from due
  where o.row_id = due.row_id;
  with due as materialized (
    select c.row_id
    from governance_candidate_state c
    where c.row_state = 'active' and not c.dirty and (c.inventory_key, c.scope) in (
      select d.inventory_key, s.scope from governance_gate_answer d cross join unnest(d.scopes) as s(scope)
      where d.check_id = p_check and d.answer = 'allow_and_rescan')
    order by c.row_id
    for update skip locked
  )
  update governance_candidate_state c
  set dirty = true, dirty_reason = 'gate:allow_and_rescan', dirtied_at = p_at, updated_at = p_at
  from due
  where c.row_id = due.row_id;
end
$gcos_function$;

-- Notes the objects of high risk that a container represents and that a check is about, to be written or
-- executed in production: the next scan gives each a row of its own. A question within five minutes of the
-- last one writes nothing.
create function gcos_gate_consult(p_check bigint, p_at timestamptz)
returns void
language plpgsql
as $gcos_function$
begin
  insert into governance_consulted_object as o (object_key, collection_name, entity_code, inventory_key, asked_at)
  select distinct on (k.object_key) k.object_key, d.collection_name, d.entity_code, d.inventory_key, p_at
  from governance_gate_decision d
  cross join lateral (select gcos_object_key(d.collection_name, d.entity_code) as object_key) as k
  where d.check_id = p_check and d.high_risk and d.stage = 'prod' and d.action <> 'read' and d.requested_group is null
    and exists (
      select from governance_candidate_state c
      where c.inventory_key = d.inventory_key and c.row_state = 'active' and c.weight = 1 and c.risk_class = 'write_high')
    and not exists (
      select from governance_consulted_object w where w.object_key = k.object_key and w.asked_at > p_at - interval '5 minutes')
  order by k.object_key
  on conflict (object_key) do update
  set asked_at = excluded.asked_at, inventory_key = excluded.inventory_key;
end
$gcos_function$;

revoke all on function gcos_gate_check(text[], text[], text[], text[], text[], timestamptz, text[]), gcos_gate_mark(bigint, timestamptz),
  gcos_gate_consult(bigint, timestamptz) from public;
grant execute on function gcos_gate_check(text[], text[], text[], text[], text[], timestamptz, text[]) to {{worker}}, {{api}};
