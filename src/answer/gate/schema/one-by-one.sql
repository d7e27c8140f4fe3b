-- The long way: any number of objects and groups, each with everything that speaks against it. What holds for everything is read once; the rest is looked
-- up by keys, and reasons are only gathered where there are some. Called by gcos_gate_evaluate() alone, whose settings its plans rely on.
create function gcos_gate_one_by_one(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_at timestamptz, p_closed text[])
returns table (
  item_no bigint, collection_name text, entity_code text, group_asked text, stage text, action text, answer text, mode text, high_risk boolean,
  inventory_key text, pass_code text, scopes text[], snapshot_refs bigint[], ruleset_versions text[], scan_times timestamptz[],
  row_ids bigint[], reasons jsonb)
language plpgsql stable
as $gcos_function$
#variable_conflict use_column
declare
  version text;
  required text[];
  modes jsonb;
  general jsonb := '[]';
  ledger text;
  overdue text[];
  -- One place per unit: a row that answers for an item in a scope.
  u_no bigint[];
  u_row bigint[];
  u_scope text[];
  u_snapshot bigint[];
  u_ruleset text[];
  u_scan timestamptz[];
  u_place text[];
  u_stage text[];
  u_high boolean[];
  excepted boolean;
  -- Those of which there is something to say even while they are valid.
  s_no bigint[];
  s_row bigint[];
  s_stage text[];
  more record;
  item record;
  places text[];
  speaks boolean[];
  known boolean[];
  in_force text[] := '{}';
  details jsonb;
  found_open jsonb;
  members jsonb;
  passes jsonb;
begin
  -- What holds for everything.
  select r.ruleset_version, k.scopes, k.modes,
    (select n.status from candidate_scan_run n where n.ledger is not null order by n.started_at desc, n.run_id desc limit 1),
    (select array_agg(o.executor_name order by o.executor_name) from gcos_gate_overdue(p_at) o)
  into version, required, modes, ledger, overdue
  from (values (1)) as one(no)
  left join governance_ruleset r on r.family = 'governance' and r.status = 'active'
  left join governance_gate_rules k on k.ruleset_version = r.ruleset_version;
  if version is null then
    -- Nothing is in force: what there is was judged under the latest draft, whose modes do not count.
    select k.scopes into required
    from (select d.ruleset_version from governance_ruleset d where d.family = 'governance' order by d.created_at desc limit 1) as r
    cross join lateral gcos_gate_rules_of(r.ruleset_version) k;
  elsif required is null then
    select k.scopes, k.modes into required, modes from gcos_gate_rules_of(version) k;
  end if;

  -- Rows of their own.
  select array_agg(i.no), array_agg(c.row_id), array_agg(c.scope), array_agg(c.source_snapshot_ref), array_agg(c.ruleset_version),
    array_agg(c.scan_time), array_agg(c.inventory_key), array_agg(i.stage), array_agg(gcos_gate_high_risk(c.risk_class, i.action)),
    bool_or(c.coverage_outcome = 'exception'), array_agg(i.no) filter (where not k.plain), array_agg(c.row_id) filter (where not k.plain),
    array_agg(i.stage) filter (where not k.plain)
  into u_no, u_row, u_scope, u_snapshot, u_ruleset, u_scan, u_place, u_stage, u_high, excepted, s_no, s_row, s_stage
  from unnest(p_collections, p_codes, p_stages, p_actions) with ordinality as i(collection_name, entity_code, stage, action, no)
  join governance_candidate_object c on c.object_key = gcos_gate_key(i.collection_name, i.entity_code)
  cross join lateral (
    select coalesce(gcos_gate_plain(c.candidate_verdict, c.coverage_scan_ref, c.coverage_outcome), false) as plain) as k
  where c.row_state = 'active' and required @> array[c.scope];

  if version is null then
    general := '[{"code": "no_ruleset"}]';
  elsif coalesce(cardinality(required), 0) = 0 then
    general := '[{"code": "no_scope"}]';
  end if;
  required := coalesce(required, '{}');
  if ledger is distinct from 'completed' then
    general := general || jsonb_build_object('code', 'ledger_not_closed', 'stage', 'prod', 'run', (
      select n.run_id from candidate_scan_run n where n.ledger is not null order by n.started_at desc, n.run_id desc limit 1));
  end if;
  if overdue is not null then
    general := general || jsonb_build_object('code', 'worker_overdue', 'stage', 'prod', 'workers', overdue);
  end if;

  -- While fingerprints are not to be trusted, nothing that rests on one is.
  general := general || coalesce((
    select jsonb_agg(jsonb_build_object('code', 'open_finding', 'stage', 'prod', 'finding', k.issue_code, 'type', k.finding_type,
      'severity', k.severity, 'who', k.routes, 'closed_when', t.closed_when))
    from governance_finding_key k
    join governance_finding_type t on t.finding_type = k.finding_type
    join system_issues i on i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any (p_closed || gcos_gate_closed_words())) is not true
    where k.finding_type = 'snapshot_nondeterministic'), '[]');

  -- Who has no row of its own in some scope: its container answers there, if it has one.
  select array_agg(g.place order by g.no), array_agg(g.known order by g.no), array_agg(g.speaks order by g.no)
  into places, known, speaks
  from (
    select a.no, coalesce(min(a.own), min(a.born)) as place, bool_or(a.known) as known, bool_or(a.speaks) as speaks
    from (
      select n.no, null::text as own, null::text as born, false as known, false as speaks
      from generate_series(1, cardinality(p_stages)) as n(no)
      union all
      select u.no, u.place, null, true, false from unnest(u_no, u_place) as u(no, place)
      union all
      select p.item_no, null, p.inventory_key, true, p.speaks
      from gcos_gate_places(p_collections, p_codes, p_groups) p
      where cardinality(p_stages) * cardinality(required) > coalesce(cardinality(u_no), 0)
    ) as a
    group by a.no
  ) as g;
  if true = any (speaks) then
    select array_agg(i.no) as nos, array_agg(c.row_id) as rows, array_agg(c.scope) as scopes, array_agg(c.source_snapshot_ref) as snapshots,
      array_agg(c.ruleset_version) as rulesets, array_agg(c.scan_time) as scans, array_agg(i.stage) as stages,
      array_agg(gcos_gate_high_risk(c.risk_class, i.action)) as high, bool_or(c.coverage_outcome = 'exception') as excepted,
      array_agg(i.no) filter (where not k.plain) as s_nos, array_agg(c.row_id) filter (where not k.plain) as s_rows,
      array_agg(i.stage) filter (where not k.plain) as s_stages
    into more
    from unnest(p_collections, p_codes, p_stages, p_actions, places, speaks) with ordinality
      as i(collection_name, entity_code, stage, action, place, speaks, no)
    join governance_candidate_state c on c.inventory_key = i.place
    cross join lateral (
      select coalesce(gcos_gate_plain(c.candidate_verdict, c.coverage_scan_ref, c.coverage_outcome), false) as plain) as k
    left join governance_candidate_object o
      on o.object_key = gcos_gate_key(i.collection_name, i.entity_code) and o.scope = c.scope and o.row_state = 'active'
    where i.speaks and c.row_state = 'active' and required @> array[c.scope] and o.row_id is null;
    if more.nos is not null then
      u_no := u_no || more.nos;
      u_row := u_row || more.rows;
      u_scope := u_scope || more.scopes;
      u_snapshot := u_snapshot || more.snapshots;
      u_ruleset := u_ruleset || more.rulesets;
      u_scan := u_scan || more.scans;
      u_stage := u_stage || more.stages;
      u_high := u_high || more.high;
      excepted := more.excepted or coalesce(excepted, false);
      s_no := s_no || more.s_nos;
      s_row := s_row || more.s_rows;
      s_stage := s_stage || more.s_stages;
    end if;
  end if;
  if excepted then
    in_force := array(select x.exception_code from governance_exception_in_force(p_at) x);
  end if;
  if exists (select from governance_validity(p_at) v where v.row_id = any (u_row) and not v.valid) then
    details := gcos_gate_details(u_no, u_row, u_stage, in_force, p_at);
  elsif s_no is not null then
    details := gcos_gate_details(s_no, s_row, s_stage, in_force, p_at);
  end if;
  if exists (select from unnest(p_groups) as g(key) where g.key is not null) then
    members := gcos_gate_members(p_groups, places, p_stages, required, p_at);
  end if;
  select jsonb_object_agg(f.no, f.list) into found_open
  from gcos_gate_findings(p_collections, p_codes, p_groups, places, speaks, p_stages, p_closed) f;

  for item in
    select e.no, min(e.collection_name) as collection_name, min(e.entity_code) as entity_code, min(e.group_asked) as group_asked,
      min(e.stage) as stage, min(e.action) as action, min(e.place) as place, bool_or(e.known) as known,
      array_agg(e.scope) filter (where e.is_unit) as scopes, array_agg(e.snapshot) filter (where e.is_unit) as snapshots,
      array_agg(e.ruleset) filter (where e.is_unit) as rulesets, array_agg(e.scan) filter (where e.is_unit) as scans,
      array_agg(e.row_id) filter (where e.is_unit) as rows, bool_or(e.high) as high
    from (
      select i.no, i.collection_name, i.entity_code, i.group_asked, i.stage, i.action, i.place, i.known, false as is_unit, null::bigint as row_id,
        null::text as scope, null::bigint as snapshot, null::text as ruleset, null::timestamptz as scan, null::boolean as high
      from unnest(p_collections, p_codes, p_groups, p_stages, p_actions, places, known) with ordinality
        as i(collection_name, entity_code, group_asked, stage, action, place, known, no)
      union all
      select u.no, null, null, null, null, null, null, null, true, u.row_id, u.scope, u.snapshot, u.ruleset, u.scan, u.high
      from unnest(u_no, u_row, u_scope, u_snapshot, u_ruleset, u_scan, u_high) as u(no, row_id, scope, snapshot, ruleset, scan, high)
    ) as e
    group by e.no
    order by e.no
  loop
    item_no := item.no;
    collection_name := item.collection_name;
    entity_code := item.entity_code;
    group_asked := item.group_asked;
    stage := item.stage;
    action := item.action;
    inventory_key := item.place;
    scopes := coalesce(item.scopes, '{}');
    snapshot_refs := coalesce(item.snapshots, '{}');
    ruleset_versions := coalesce(item.rulesets, '{}');
    scan_times := coalesce(item.scans, '{}');
    high_risk := coalesce(item.high, true);
    mode := case when modes ->> item.stage = 'observe' then 'observe' else 'enforce' end;
    pass_code := null;
    reasons := details -> item.no::text;
    if general <> '[]' then
      reasons := coalesce(reasons, '[]') || (
        select coalesce(jsonb_agg(g.reason - 'stage'), '[]') from jsonb_array_elements(general) as g(reason)
        where coalesce(g.reason ->> 'stage', item.stage) = item.stage);
    end if;
    if members ? item.no::text then
      reasons := coalesce(reasons, '[]') || (members -> item.no::text -> 'list');
      high_risk := high_risk or (members -> item.no::text -> 'high')::boolean;
    end if;
    if found_open ? item.no::text then
      reasons := coalesce(reasons, '[]') || (found_open -> item.no::text);
    end if;
    if not item.known then
      reasons := '[{"code": "not_found"}]';
    elsif cardinality(scopes) < cardinality(required) then
      reasons := coalesce(reasons, '[]') || (
        select jsonb_agg(jsonb_build_object('scope', q.scope, 'codes', case item.stage when 'prod' then '["unknown"]'::jsonb
          when 'design' then '["owner_missing"]' else '["owner_missing", "profile_missing"]' end, 'by', 'nobody') order by q.scope)
        from unnest(required) as q(scope)
        where q.scope <> all (item.scopes) or item.scopes is null);
      high_risk := true;
    end if;
    reasons := nullif(reasons, '[]');
    answer := case when not item.known then 'block' else gcos_gate_answer(high_risk, case when reasons is null then 0 else 1 end) end;
    if answer = 'block' and item.known then
      if passes is null then
        select coalesce(jsonb_agg(to_jsonb(p)), '[]') into passes from gcos_gate_passes(p_at) p;
      end if;
      select p.pass ->> 'pass_code' into pass_code
      from jsonb_array_elements(passes) as p(pass)
      where coalesce(p.pass ->> 'stage', item.stage) = item.stage and coalesce(p.pass ->> 'action', item.action) = item.action
        and (p.pass ->> 'inventory_key' = item.place
          or p.pass ->> 'collection_name' = item.collection_name and p.pass ->> 'entity_code' = item.entity_code)
      order by 1
      limit 1;
      if pass_code is not null then
        answer := 'allow';
      end if;
    end if;
    row_ids := case when answer = 'allow_and_rescan' then item.rows end;
    return next;
  end loop;
end
$gcos_function$;
revoke all on function gcos_gate_one_by_one(text[], text[], text[], text[], text[], timestamptz, text[]) from public;
grant execute on function gcos_gate_one_by_one(text[], text[], text[], text[], text[], timestamptz, text[]) to {{worker}}, {{api}};
