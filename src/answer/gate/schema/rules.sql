-- Common to all questions: the rules of the gate, and the reasons against everything. PostgreSQL checks these
-- function bodies only when they run, so a host that lacks one of the tables can install GCOS. Functions that
-- PostgreSQL cannot inline are in plpgsql, which caches their plans.
set local check_function_bodies = off;

set local role {{trust_owner}};
-- Refuses questions that lack a stage or an action, or have one that is not known, and questions that are not
-- about exactly one object or one group: with both, the answer about one could be read as that about the
-- other.
create function {{trust}}.gcos_gate_require_questions(p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[])
returns void
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if (cardinality(p_collections) = all (array[cardinality(p_codes), cardinality(p_groups), cardinality(p_stages), cardinality(p_actions)])
    and p_stages <@ array['design', 'impl', 'route', 'prod'] and p_actions <@ array['read', 'write', 'execute']) is not true or exists (
      select from unnest(p_collections, p_codes, p_groups) as q(collection_name, entity_code, group_key)
      where (q.collection_name is null) <> (q.entity_code is null) or (q.collection_name is null) = (q.group_key is null)) then
    raise exception 'every question needs a subject, a stage and an action' using errcode = 'invalid_parameter_value';
  end if;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_gate_require_questions(text[], text[], text[], text[], text[]) from public;
grant execute on function {{trust}}.gcos_gate_require_questions(text[], text[], text[], text[], text[]) to {{owner}};

-- The scopes and gate settings of a ruleset, read from its canonical bytes. Without a list of scopes there is
-- one scope, `all`; without a mode the gate enforces; without a limit it tolerates no time unwatched, and of
-- the age of the ledger the default.
create function {{trust}}.gcos_gate_rules_of(p_version text)
returns table (scopes text[], modes jsonb, max_unwatched jsonb, max_ledger_age jsonb)
language sql stable rows 1
as $gcos_function$
  select
    case when c.scopes ->> 'state' = 'present' then array(select s ->> 'scope_code' from jsonb_array_elements(c.scopes -> 'rows') as s)
      else array['all'] end,
    coalesce((
      select {{trust}}.gcos_plain_value(s -> 'setting_value') from jsonb_array_elements(c.settings -> 'rows') as s where s ->> 'setting_key' = 'gate.mode'), '{}'),
    coalesce((
      select {{trust}}.gcos_plain_value(s -> 'setting_value') from jsonb_array_elements(c.settings -> 'rows') as s
      where s ->> 'setting_key' = 'gate.max_unwatched'), '{}'),
    coalesce((
      select {{trust}}.gcos_plain_value(s -> 'setting_value') from jsonb_array_elements(c.settings -> 'rows') as s
      where s ->> 'setting_key' = 'gate.max_ledger_age'), '{}')
  from {{trust}}.governance_ruleset r
  cross join lateral (select convert_from(r.canonical_bytes, 'UTF8')::jsonb -> 'components' as parts offset 0) as b
  cross join lateral (
    select jsonb_path_query_first(b.parts, '$[*] ? (@.component == "scopes")') as scopes,
      jsonb_path_query_first(b.parts, '$[*] ? (@.component == "settings")') as settings) as c
  where r.ruleset_version = p_version
$gcos_function$;

-- Stores the scopes and gate settings of a governance ruleset when it becomes active.
create function {{trust}}.gcos_gate_store_rules()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  insert into {{trust}}.governance_gate_rules (ruleset_version, scopes, modes, max_unwatched, max_ledger_age)
  select new.ruleset_version, k.scopes, k.modes, k.max_unwatched, k.max_ledger_age from {{trust}}.gcos_gate_rules_of(new.ruleset_version) k
  on conflict do nothing;
  return null;
end
$gcos_function$;
create trigger governance_ruleset_gate_rules
  after insert or update of status on {{trust}}.governance_ruleset
  for each row when (new.family = 'governance' and new.status = 'active')
  execute function {{trust}}.gcos_gate_store_rules();

-- The active ruleset with its scopes and gate settings. Without an active ruleset, the scopes are those of
-- the latest one, and all else is null.
create function {{trust}}.gcos_gate_rules()
returns table (ruleset_version text, scopes text[], modes jsonb, max_unwatched jsonb, max_ledger_age jsonb)
language plpgsql stable rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  return query
  select r.ruleset_version, k.scopes, k.modes, k.max_unwatched, k.max_ledger_age
  from {{trust}}.governance_ruleset r
  join {{trust}}.governance_gate_rules k on k.ruleset_version = r.ruleset_version
  where r.family = 'governance' and r.status = 'active';
  if not found then
    return query
    select case when r.in_force then r.ruleset_version end, k.scopes, case when r.in_force then k.modes end,
      case when r.in_force then k.max_unwatched end, case when r.in_force then k.max_ledger_age end
    from (
      select n.ruleset_version, n.status = 'active' as in_force
      from {{trust}}.governance_ruleset n
      where n.family = 'governance'
      order by n.status = 'active' desc, n.created_at desc
      limit 1
    ) as r
    cross join lateral {{trust}}.gcos_gate_rules_of(r.ruleset_version) k;
  end if;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_gate_rules_of(text), {{trust}}.gcos_gate_store_rules(), {{trust}}.gcos_gate_rules() from public;
grant execute on function {{trust}}.gcos_gate_rules_of(text), {{trust}}.gcos_gate_rules() to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};

-- Workers with a heartbeat that are overdue at a point in time: silent, failing, or with work but without
-- progress, by the limits of the setting worker.watch. A worker that stopped gracefully is not overdue; a
-- paused one need not progress. Audits and closing runs do not count: the age of the ledger judges them.
-- p_now is the time of the server.
create function {{trust}}.gcos_gate_overdue(p_at timestamptz, p_now timestamptz)
returns table (executor_name text)
language sql stable rows 1
as $gcos_function$
  select h.executor_name::text
  from (select (select s.setting_value from {{trust}}.governance_setting s where s.setting_key = 'worker.watch') as limits offset 0) as w
  join {{schema}}.queue_heartbeat h
    on h.last_tick_at < p_at - make_interval(secs => coalesce((w.limits ->> 'silence_seconds')::float8, 120))
      -- Ticked before the clock was set back, and not since.
      or h.last_tick_at > greatest(p_at, p_now) + make_interval(secs => coalesce((w.limits ->> 'silence_seconds')::float8, 120))
      or (h.metadata ->> 'failing_since')::timestamptz < p_at - make_interval(secs => coalesce((w.limits ->> 'silence_seconds')::float8, 120))
      or h.metadata -> 'lag_seconds' > '0' and h.metadata ->> 'state' is distinct from 'paused'
        and greatest((h.metadata #>> '{progress,at}')::timestamptz, (h.metadata ->> 'running_since')::timestamptz,
          (h.metadata ->> 'lag_since')::timestamptz) < p_at - make_interval(secs => coalesce((w.limits ->> 'stall_seconds')::float8, 900))
  where h.executor_kind = 'gcos' and h.executor_name like E'gcos\\_%' and h.metadata ->> 'state' is distinct from 'stopped'
    and h.executor_name not like E'gcos\\_audit:%' and h.executor_name not like E'gcos\\_closing\\_run:%'
    -- A late seal delays evidence, not verdicts.
    and h.executor_name not like E'gcos\\_seal:%'
$gcos_function$;

-- The reasons against everything in production at a point in time: the last ledger does not close, a worker
-- is overdue, fingerprints are unreliable. Returns also when the last closed ledger began, because its age
-- counts by risk; null: none was ever closed.
create function {{trust}}.gcos_gate_general(p_at timestamptz, p_now timestamptz, out reasons jsonb, out closed_at timestamptz)
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  state record;
begin
  reasons := '[]';
  select l.run_id, l.status, l.started_at, (
      select array_agg(o.executor_name order by o.executor_name) from {{trust}}.gcos_gate_overdue(p_at, p_now) o) as overdue, (
      select true from {{schema}}.governance_finding_key k where k.finding_type = 'snapshot_nondeterministic' limit 1) as unreliable
  into state
  from (values (1)) as one(no)
  left join lateral (
    select r.run_id, r.status, r.started_at
    from {{schema}}.candidate_scan_run r
    where r.ledger is not null
    order by r.started_at desc, r.run_id desc
    limit 1
  ) as l on true;
  if state.status is distinct from 'completed' then
    reasons := reasons || jsonb_build_object('code', 'ledger_not_closed', 'run', state.run_id);
  end if;
  if state.overdue is not null then
    reasons := reasons || jsonb_build_object('code', 'worker_overdue', 'workers', state.overdue);
  end if;
  if state.unreliable then
    reasons := reasons || coalesce((
      select jsonb_agg(jsonb_build_object('code', 'open_finding', 'finding', k.issue_code, 'type', k.finding_type, 'severity', k.severity,
        'who', k.routes, 'closed_when', t.closed_when) order by k.issue_code)
      from {{schema}}.governance_finding_key k
      join {{schema}}.governance_finding_type t on t.finding_type = k.finding_type
      join {{schema}}.system_issues i on i.id = k.issue_id and i.code = k.issue_code
      where k.finding_type = 'snapshot_nondeterministic'
        and (i.status::text = any ({{trust}}.gcos_closed_statuses())) is not true), '[]');
  end if;
  -- The last ledger is almost always the last closed one.
  closed_at := case when state.status = 'completed' and state.started_at <= p_now then state.started_at
    else {{trust}}.gcos_ledger_closed_at() end;
end
$gcos_function$;

-- The functions that only the evaluator calls, here and below, are granted to no login.
revoke all on function {{trust}}.gcos_gate_overdue(timestamptz, timestamptz),
  {{trust}}.gcos_gate_general(timestamptz, timestamptz) from public;
