-- The gate: answers and records in one statement. One row per answer, with the numbers of the items that it is about. An answer that cannot be recorded is no answer: the whole of it fails. What is allowed and
-- to be scanned again is marked: the rows that answered, and their groups. Rows that somebody is writing just now are being looked at.
create function gcos_gate_check(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_at timestamptz, p_closed text[])
returns table (
  check_id bigint, item_nos integer[], decided_at timestamptz, answer text, mode text, high_risk boolean, inventory_key text, pass_code text,
  scopes text[], snapshot_refs bigint[], ruleset_versions text[], scan_times timestamptz[], reasons jsonb)
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
  asked constant integer := cardinality(p_collections);
begin
  if (asked = cardinality(p_codes) and cardinality(p_groups) in (0, asked) and cardinality(p_stages) in (1, asked)
    and cardinality(p_actions) in (1, asked) and p_stages <@ array['design', 'impl', 'route', 'prod']
    and p_actions <@ array['read', 'write', 'execute']) is not true then
    raise exception 'every question needs a subject, a stage and an action' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (
    select from governance_ruleset r
    join governance_gate_rules g on g.ruleset_version = r.ruleset_version
    where r.family = 'governance' and r.status = 'active') then
    insert into governance_gate_rules (ruleset_version, scopes, modes)
    select r.ruleset_version, k.scopes, k.modes
    from governance_ruleset r
    cross join lateral gcos_gate_rules_of(r.ruleset_version) k
    where r.family = 'governance' and r.status = 'active'
    on conflict do nothing;
  end if;
  return query
  insert into governance_gate_answer as d (
    check_id, first_item, item_nos, entity_codes, decided_at, as_of, high_risk, answer, mode, stage, action, login, person_ref,
    collection_name, group_asked, inventory_key, pass_code, scopes, snapshot_refs, ruleset_versions, scan_times, row_ids, reasons)
  select this_check, e.first_item, e.item_nos, e.entity_codes, moment, coalesce(p_at, moment), e.high_risk, e.answer, e.mode, e.stage, e.action,
    session_user, (select a.person_ref from governance_actor a where a.login = session_user and a.active), e.collection_name,
    e.group_asked, e.inventory_key, e.pass_code, e.scopes, e.snapshot_refs, e.ruleset_versions, e.scan_times, e.row_ids, e.reasons
  from gcos_gate_evaluate(p_collections, p_codes, p_groups, p_stages, p_actions, coalesce(p_at, moment), p_closed) e
  returning d.check_id, d.item_nos, d.decided_at, d.answer, d.mode, d.high_risk, d.inventory_key, d.pass_code, d.scopes, d.snapshot_refs,
    d.ruleset_versions, d.scan_times, d.reasons;
  if exists (select from governance_gate_answer d where d.check_id = this_check and d.answer = 'allow_and_rescan') then
    perform gcos_gate_mark(this_check, moment);
  end if;
end
$gcos_function$;
comment on function gcos_gate_check(text[], text[], text[], text[], text[], timestamptz, text[]) is 'GCOS: the gate: answers, and records that it did';

create function gcos_gate_mark(p_check bigint, p_at timestamptz)
returns void
language plpgsql
as $gcos_function$
#variable_conflict use_column
begin
  with due as materialized (
    select o.row_id
    from governance_candidate_object o
    where o.row_state = 'active' and not o.dirty and o.row_id in (
      select u.row_id from governance_gate_answer d cross join unnest(d.row_ids) as u(row_id)
      where d.check_id = p_check and d.answer = 'allow_and_rescan')
    order by o.row_id
    for update skip locked
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

revoke all on function gcos_gate_check(text[], text[], text[], text[], text[], timestamptz, text[]), gcos_gate_mark(bigint, timestamptz) from public;
grant execute on function gcos_gate_check(text[], text[], text[], text[], text[], timestamptz, text[]) to {{worker}}, {{api}};
