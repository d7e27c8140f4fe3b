-- Open findings of severity high or critical about the subject: for an object those that name it, and those
-- of its container if its class inherits, except in a scope where its own row does not share the gap; for a
-- group all its findings. Findings about other objects do not count.
create function {{trust}}.gcos_gate_findings(p_requested {{trust}}.gcos_gate_answered)
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  closed constant text[] := {{trust}}.gcos_closed_statuses();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', 'open_finding', 'scope', n.scope, 'finding', n.issue_code, 'type', n.finding_type,
      'severity', n.severity, 'who', n.routes, 'closed_when', t.closed_when) order by n.issue_code), '[]')
    from {{schema}}.governance_finding_key n
    join {{schema}}.governance_finding_type t on t.finding_type = n.finding_type
    join {{schema}}.system_issues i on i.id = n.issue_id and i.code = n.issue_code
    where n.severity in ('critical', 'high')
      and (hashtextextended(n.entity_code, 0) = hashtextextended(p_requested.entity_code, 0) and n.entity_code = p_requested.entity_code
          and n.entity_type in (p_requested.collection_name, (select v.object_class from {{schema}}.governance_inventory v where v.inventory_key = p_requested.inventory_key))
        or hashtextextended(n.subject, 0) = hashtextextended(p_requested.inventory_key, 0) and n.subject = p_requested.inventory_key
          and p_requested.represented and (p_requested.requested_group is not null or n.entity_type = 'collection' and not exists (
            select from {{schema}}.governance_candidate_object o
            where o.object_key = {{trust}}.gcos_object_key(p_requested.collection_name, p_requested.entity_code) and o.scope = n.scope
              and o.row_state = 'active' and o.coverage_outcome is distinct from 'orphan')))
      and (i.status::text = any (closed)) is not true);
end
$gcos_function$;

-- The reasons for the scopes in which no row answers.
create function {{trust}}.gcos_gate_missing(p_stage text, p_required text[], p_answered text[])
returns jsonb
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return (
    select jsonb_agg(jsonb_build_object('scope', r.scope, 'by', 'none', 'codes', case p_stage when 'prod' then '["unknown"]'::jsonb
      when 'design' then '["owner_missing"]' else '["owner_missing", "profile_missing"]' end) order by r.scope)
    from unnest(p_required) as r(scope)
    where r.scope <> all (p_answered));
end
$gcos_function$;

-- Whether nothing has watched the host for longer than the rules tolerate for this risk. Never watched, and a
-- limit that the rules lack, count as too long. Stable, as its arithmetic is: PostgreSQL does not inline a
-- function that claims more.
create function {{trust}}.gcos_gate_unwatched(p_high_risk boolean, p_watched timestamptz, p_limits jsonb, p_at timestamptz)
returns boolean
language sql stable
return coalesce(
  p_watched < p_at - make_interval(secs => 60 * (p_limits ->> case when p_high_risk is false then 'low_minutes' else 'high_minutes' end)::float8),
  true);

-- Whether the last closed ledger began longer ago than the rules tolerate for this risk, by default 72 hours
-- at high risk and 336 at low. A time in the future was noted before the clock was set back, and its age is
-- unknown: if it is further away than the limit, it counts as too old. Without any closed ledger the reason
-- is `ledger_not_closed` alone.
create function {{trust}}.gcos_gate_ledger_too_old(p_high_risk boolean, p_closed_at timestamptz, p_limits jsonb, p_at timestamptz)
returns boolean
language sql immutable
return coalesce(
  abs(extract(epoch from p_at - p_closed_at)) > 3600 * case
    when p_high_risk is false then coalesce((p_limits ->> 'low_hours')::float8, 336)
    else coalesce((p_limits ->> 'high_hours')::float8, 72) end,
  false);

-- The passes in force. A separate function, because the function it calls comes with a later migration.
create type {{trust}}.gcos_gate_pass as (pass_code text, collection_name text, entity_code text, inventory_key text, stage text, action text);
create function {{trust}}.gcos_gate_passes(p_at timestamptz)
returns setof {{trust}}.gcos_gate_pass
language plpgsql stable rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return query
  select p.pass_code, p.collection_name, p.entity_code, p.inventory_key, p.stage, p.action
  from {{trust}}.governance_break_glass_in_force(p_at) p;
end
$gcos_function$;

-- The pass in force that covers a question; null: none.
create function {{trust}}.gcos_gate_pass_for(p_requested {{trust}}.gcos_gate_answered, p_passes {{trust}}.gcos_gate_pass[])
returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if p_passes = '{}' then
    return null;
  end if;
  return (
    select min(p.pass_code)
    from unnest(p_passes) as p
    where coalesce(p.stage, p_requested.stage) = p_requested.stage and coalesce(p.action, p_requested.action) = p_requested.action
      and (p.inventory_key = p_requested.inventory_key
        or p.collection_name = p_requested.collection_name and p.entity_code = p_requested.entity_code));
end
$gcos_function$;

-- The evaluator: answers any number of questions, one row each, and records nothing. Verdicts, exceptions and
-- passes must be valid at p_at; p_now is the time of the server. All of it uses one snapshot: a stable
-- function sees the snapshot of its caller's statement. INVARIANT: no login may call it, because it takes a
-- time.
create function {{trust}}.gcos_gate_evaluate(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_at timestamptz, p_now timestamptz)
returns setof {{trust}}.gcos_gate_answered
language plpgsql stable rows 10
security definer
-- As gcos_gate_check: plans are kept, and no table is read as a whole before it has statistics.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  as_owner constant boolean := {{trust}}.gcos_require_owner();
  version text;
  required text[];
  modes jsonb;
  general jsonb := '[]';
  in_general record;
  in_production jsonb;
  watched timestamptz;
  estate record;
  paused constant jsonb := {{trust}}.gcos_pause();
  max_unwatched jsonb;
  max_ledger_age jsonb;
  moment timestamptz;
  members record;
  passes {{trust}}.gcos_gate_pass[];
  a {{trust}}.gcos_gate_answered;
begin
  -- Common to all questions: the rules, and the reasons against everything.
  select r.ruleset_version, r.scopes, r.modes, r.max_unwatched, r.max_ledger_age
  into version, required, modes, max_unwatched, max_ledger_age
  from {{trust}}.gcos_gate_rules() r;
  required := coalesce(required, '{}');
  if version is null then
    general := '[{"code": "no_ruleset"}]';
  elsif required = '{}' then
    general := '[{"code": "no_scope"}]';
  end if;
  in_general := {{trust}}.gcos_gate_general(p_at, p_now);
  in_production := general || in_general.reasons;
  watched := {{trust}}.gcos_watched_at();
  -- By the server's clock at least: nothing was watched at an earlier time that is not watched now.
  moment := greatest(p_at, p_now);

  for a in
    select s.* from {{trust}}.gcos_gate_subjects(p_collections, p_codes, p_groups, p_stages, p_actions, version, required, p_at) s
  loop
    -- What a source lists is watched as of its last complete sync, too.
    select s.name, s.read_at into estate from {{trust}}.gcos_source_of(coalesce(a.collection_name,
      (select i.source_registry from {{schema}}.governance_inventory i where i.inventory_key = a.inventory_key))) s;
    a.watched_at := case when estate.name is null or watched is null or watched <= estate.read_at then watched else estate.read_at end;
    a.mode := case when modes ->> a.stage = 'observe' then 'observe' else 'enforce' end;
    if not a.known then
      a.reasons := '[{"code": "not_found"}]';
      a.answer := 'block';
      return next a;
      continue;
    end if;

    -- Reasons in addition to those of its rows.
    a.reasons := a.reasons || case when a.stage = 'prod' then in_production else general end;
    if a.requested_group is not null then
      select m.reasons, m.high_risk into members from {{trust}}.gcos_gate_members(a.inventory_key, a.stage, version, required, p_at) m;
      a.reasons := a.reasons || members.reasons;
      a.high_risk := a.high_risk or members.high_risk;
    end if;
    if a.stage in ('route', 'prod') and (a.named or a.represented) then
      a.reasons := a.reasons || {{trust}}.gcos_gate_findings(a);
    end if;
    if cardinality(a.scopes) < cardinality(required) then
      a.reasons := a.reasons || {{trust}}.gcos_gate_missing(a.stage, required, a.scopes);
      a.high_risk := true;
    end if;

    if a.stage = 'prod' and {{trust}}.gcos_gate_unwatched(a.high_risk, watched, max_unwatched, moment) then
      a.reasons := a.reasons || jsonb_build_object('code', 'unwatched', 'watched_at', watched);
    elsif a.stage = 'prod' and {{trust}}.gcos_gate_unwatched(a.high_risk, a.watched_at, max_unwatched, moment) then
      a.reasons := a.reasons || jsonb_build_object('code', 'source_unwatched', 'source', estate.name, 'watched_at', a.watched_at);
    end if;
    -- A pause is unwatched from its first moment on; at low risk the limit above applies.
    if a.stage = 'prod' and paused is not null and a.high_risk is not false then
      a.reasons := a.reasons || jsonb_build_object('code', 'paused', 'person', paused -> 'by', 'since', paused -> 'at', 'why', paused -> 'reason');
    end if;
    if a.stage = 'prod' and {{trust}}.gcos_gate_ledger_too_old(a.high_risk, in_general.closed_at, max_ledger_age, moment) then
      a.reasons := a.reasons || jsonb_build_object('code', 'ledger_too_old', 'closed_at', in_general.closed_at);
    end if;

    a.answer := {{trust}}.gcos_gate_answer(a.high_risk, jsonb_array_length(a.reasons));
    a.reasons := nullif(a.reasons, '[]');
    if a.answer = 'block' then
      passes := coalesce(passes, array(select p from {{trust}}.gcos_gate_passes(p_at) p));
      a.pass_code := {{trust}}.gcos_gate_pass_for(a, passes);
      if a.pass_code is not null then
        a.answer := 'allow';
      end if;
    end if;
    return next a;
  end loop;
end
$gcos_function$;
comment on function {{trust}}.gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, timestamptz) is 'GCOS: the answers of the gate, without recording them';

-- The question "as of another time": what the gate would answer if verdicts, exceptions and passes had to be
-- valid at p_at, by what is stored now. INVARIANT: nothing records its result, which has no check number and
-- no column `answer`, so that it cannot stand in for a decision.
create function {{trust}}.gcos_gate_as_of(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_at timestamptz)
returns table (
  item_no bigint, as_of timestamptz, watched_at timestamptz, would_be text, mode text, high_risk boolean, would_use_pass text, scopes text[],
  snapshot_refs bigint[], ruleset_versions text[], scan_times timestamptz[], would_have_reasons jsonb)
language plpgsql stable rows 10
security definer
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_permission('gate');
  perform {{trust}}.gcos_gate_require_questions(p_collections, p_codes, p_groups, p_stages, p_actions);
  if p_at is null then
    raise exception 'the question as of another time needs a time' using errcode = 'invalid_parameter_value';
  end if;
  return query
  select e.item_no, p_at, e.watched_at, e.answer, e.mode, e.high_risk, e.pass_code, e.scopes, e.snapshot_refs, e.ruleset_versions, e.scan_times,
    e.reasons
  from {{trust}}.gcos_gate_evaluate(p_collections, p_codes, p_groups, p_stages, p_actions, p_at, {{trust}}.gcos_now()) e;
end
$gcos_function$;
comment on function {{trust}}.gcos_gate_as_of(text[], text[], text[], text[], text[], timestamptz) is 'GCOS: what the gate would answer as of another time; no decision, and never recorded';

revoke all on function {{trust}}.gcos_gate_unwatched(boolean, timestamptz, jsonb, timestamptz), {{trust}}.gcos_gate_ledger_too_old(boolean, timestamptz, jsonb, timestamptz),
  {{trust}}.gcos_gate_findings({{trust}}.gcos_gate_answered), {{trust}}.gcos_gate_missing(text, text[], text[]), {{trust}}.gcos_gate_passes(timestamptz),
  {{trust}}.gcos_gate_pass_for({{trust}}.gcos_gate_answered, {{trust}}.gcos_gate_pass[]),
  {{trust}}.gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, timestamptz),
  {{trust}}.gcos_gate_as_of(text[], text[], text[], text[], text[], timestamptz) from public;
-- Pure: status reads with it whether the host is watched.
grant execute on function {{trust}}.gcos_gate_unwatched(boolean, timestamptz, jsonb, timestamptz) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant execute on function {{trust}}.gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, timestamptz) to {{trust_owner}};
grant execute on function {{trust}}.gcos_gate_as_of(text[], text[], text[], text[], text[], timestamptz) to {{reader}}, {{worker}}, {{api}}, {{server}};
set local check_function_bodies to default;
