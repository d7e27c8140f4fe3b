-- Marks the rows that answered allow_and_rescan, and their groups, as dirty. Skips rows that another session
-- has locked: that session is re-evaluating them.
create function {{trust}}.gcos_gate_mark(p_check bigint, p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_owner();
  with due as materialized (
    select o.row_id
    from {{trust}}.governance_gate_decision d
    join {{schema}}.governance_candidate_object o on o.object_key = {{trust}}.gcos_object_key(d.collection_name, d.entity_code) and o.scope = any (d.scopes)
    where d.check_id = p_check and d.answer = 'allow_and_rescan' and o.row_state = 'active' and not o.dirty
    order by o.row_id
    for update of o skip locked
  )
  update {{schema}}.governance_candidate_object o
  set dirty = true, dirty_reason = 'gate:allow_and_rescan', dirtied_at = p_at, updated_at = p_at
  from due
  where o.row_id = due.row_id;
  with due as materialized (
    select c.row_id
    from {{schema}}.governance_candidate_state c
    where c.row_state = 'active' and not c.dirty and (c.inventory_key, c.scope) in (
      select d.inventory_key, s.scope from {{trust}}.governance_gate_answer d cross join unnest(d.scopes) as s(scope)
      where d.check_id = p_check and d.answer = 'allow_and_rescan')
    order by c.row_id
    for update skip locked
  )
  update {{schema}}.governance_candidate_state c
  set dirty = true, dirty_reason = 'gate:allow_and_rescan', dirtied_at = p_at, updated_at = p_at
  from due
  where c.row_id = due.row_id;
end
$gcos_function$;

-- Notes the objects of high risk that a container represents and that a check is about, to be written or
-- executed in production: the next scan gives each a row of its own. A question within five minutes of the
-- last one writes nothing.
create function {{trust}}.gcos_gate_consult(p_check bigint, p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_owner();
  insert into {{schema}}.governance_consulted_object as o (object_key, collection_name, entity_code, inventory_key, asked_at)
  select distinct on (k.object_key) k.object_key, d.collection_name, d.entity_code, d.inventory_key, p_at
  from {{trust}}.governance_gate_decision d
  cross join lateral (select {{trust}}.gcos_object_key(d.collection_name, d.entity_code) as object_key) as k
  where d.check_id = p_check and d.represented and d.high_risk and d.stage = 'prod' and d.action <> 'read' and d.requested_group is null
    and exists (
      select from {{schema}}.governance_candidate_state c
      where c.inventory_key = d.inventory_key and c.row_state = 'active' and c.weight = 1 and c.risk_class = 'write_high')
    and not exists (
      select from {{schema}}.governance_consulted_object w where w.object_key = k.object_key and w.asked_at > p_at - interval '5 minutes')
  order by k.object_key
  on conflict (object_key) do update
  set asked_at = excluded.asked_at, inventory_key = excluded.inventory_key;
end
$gcos_function$;
-- Whether each subject belongs to these owners: one of them owns it in at least one scope, and no other body
-- owns it in any. An object's own rows come before those of its group.
create function {{trust}}.gcos_gate_is_owned(p_collections text[], p_codes text[], p_groups text[], p_owners text[])
returns boolean
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_owner();
  return not exists (
    select from unnest(p_collections, p_codes) with ordinality as q(collection_name, entity_code, item_no)
    cross join lateral (
      with own as materialized (
        select o.scope, o.owner_scope
        from {{schema}}.governance_candidate_object o
        where o.object_key = {{trust}}.gcos_object_key(q.collection_name, q.entity_code) and o.row_state = 'active'
      )
      select bool_and(r.owner_scope = any (p_owners)) as is_inside
      from (
        select o.owner_scope from own o
        union all
        select g.owner_scope
        from {{trust}}.gcos_gate_groups(p_collections, p_codes, p_groups) k
        join {{schema}}.governance_group g on g.inventory_key = k.inventory_key
        where k.item_no = q.item_no and not exists (select from own o where o.scope = g.scope)
      ) r
    ) s
    where s.is_inside is not true);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_gate_mark(bigint, timestamptz), {{trust}}.gcos_gate_consult(bigint, timestamptz),
  {{trust}}.gcos_gate_is_owned(text[], text[], text[], text[]) from public;
grant execute on function {{trust}}.gcos_gate_mark(bigint, timestamptz), {{trust}}.gcos_gate_consult(bigint, timestamptz),
  {{trust}}.gcos_gate_is_owned(text[], text[], text[], text[]) to {{trust_owner}};

set local role {{trust_owner}};
-- The gate: answers and records in one statement, at the time of the server, which it reads once. INVARIANTS:
-- it takes keys and the question, and no fact; if an answer cannot be recorded, the whole check fails.
create function {{trust}}.gcos_gate_check(p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[])
returns setof {{trust}}.governance_gate_answer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $gcos_function$
#variable_conflict use_column
declare
  this_check constant bigint := {{trust}}.gcos_next_check();
  moment constant timestamptz := {{trust}}.gcos_now();
  recorded {{trust}}.governance_gate_answer;
  rescan boolean := false;
  consulted boolean := false;
  passes text[] := '{}';
  asking record;
begin
  -- Who asks, by what credential, and about whose objects they may.
  select i.credential, i.person_ref, i.owners into asking from {{trust}}.gcos_asking() i;
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, timestamptz)',
    '{{trust}}.gcos_gate_mark(bigint, timestamptz)', '{{trust}}.gcos_gate_consult(bigint, timestamptz)',
    '{{trust}}.gcos_gate_is_owned(text[], text[], text[], text[])');
  perform {{trust}}.gcos_commit_durably();
  -- A snapshot that was taken earlier is a fact from the caller, too: it hides what changed since.
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception 'the gate must be asked in a read committed transaction' using errcode = 'invalid_transaction_state';
  end if;
  perform {{trust}}.gcos_gate_require_questions(p_collections, p_codes, p_groups, p_stages, p_actions);
  if asking.owners is not null and not {{trust}}.gcos_gate_is_owned(p_collections, p_codes, p_groups, asking.owners) then
    raise exception 'the token is limited to other owners' using errcode = 'UG034';
  end if;
  for recorded in
    insert into {{trust}}.governance_gate_answer as d (
      check_id, first_item, item_nos, entity_codes, decided_at, watched_at, high_risk, answer, mode, stage, action, login, person_ref,
      collection_name, requested_group, inventory_key, represented, pass_code, scopes, snapshot_refs, ruleset_versions, scan_times, reasons)
    select this_check, min(e.item_no), array_agg(e.item_no), array_agg(e.entity_code), moment, e.watched_at, e.high_risk, e.answer,
      e.mode, e.stage, e.action, asking.credential, asking.person_ref,
      e.collection_name, e.requested_group, e.inventory_key, e.represented, e.pass_code, e.scopes, e.snapshot_refs, e.ruleset_versions, e.scan_times, e.reasons
    from {{trust}}.gcos_gate_evaluate(p_collections, p_codes, p_groups, p_stages, p_actions, moment, moment) e
    group by e.collection_name, e.requested_group, e.stage, e.action, e.answer, e.mode, e.high_risk, e.inventory_key, e.represented, e.pass_code, e.scopes,
      e.snapshot_refs, e.ruleset_versions, e.scan_times, e.reasons, e.watched_at
    returning d.*
  loop
    return next recorded;
    if recorded.pass_code is not null then
      passes := passes || recorded.pass_code;
    end if;
    rescan := rescan or recorded.answer = 'allow_and_rescan';
    consulted := consulted or recorded.high_risk and recorded.stage = 'prod' and recorded.action <> 'read'
      and recorded.represented and recorded.requested_group is null;
  end loop;
  if passes <> '{}' then
    perform {{trust}}.gcos_rely_on_passes(passes, moment);
  end if;
  if rescan then
    perform {{trust}}.gcos_gate_mark(this_check, moment);
  end if;
  if consulted then
    perform {{trust}}.gcos_gate_consult(this_check, moment);
  end if;
end
$gcos_function$;
comment on function {{trust}}.gcos_gate_check(text[], text[], text[], text[], text[]) is 'GCOS: the gate: answers questions and records the answers';
revoke all on function {{trust}}.gcos_gate_check(text[], text[], text[], text[], text[]) from public;
grant execute on function {{trust}}.gcos_gate_check(text[], text[], text[], text[], text[]) to {{worker}}, {{api}}, {{server}};
set local role {{owner}};
