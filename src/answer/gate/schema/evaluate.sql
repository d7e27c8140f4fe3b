-- The answer to each of any number of questions: an object (collection and code) or a group, a stage, an action. One statement for whoever
-- asks, and one look at the database: a stable function sees what its caller's statement sees. What holds for everything is read once;
-- the rest is looked up by keys. Nothing is written.
create function gcos_gate_evaluate(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_at timestamptz, p_closed text[])
returns table (
  item_no bigint, answer text, mode text, high_risk boolean, inventory_key text, pass_code text, scopes text[], snapshot_refs bigint[],
  ruleset_versions text[], scan_times timestamptz[], row_ids bigint[], reasons jsonb)
language plpgsql stable
as $gcos_function$
#variable_conflict use_column
declare
  version text;
  required text[];
  modes jsonb;
  general jsonb := '[]';
  in_prod constant boolean := 'prod' = any (p_stages);
  places text[];
  speaks boolean[];
  known boolean[];
  own bigint[];
  excepted boolean;
  in_force text[] := '{}';
  found_open jsonb;
  members jsonb;
  overdue text[];
  last_run text;
  last_closed text;
  passes jsonb;
  item record;
begin
  select r.ruleset_version, k.scopes, k.modes into version, required, modes
  from governance_ruleset r
  left join governance_gate_rules k on k.ruleset_version = r.ruleset_version
  where r.family = 'governance' and r.status = 'active';
  if version is null then
    general := '[{"code": "no_ruleset"}]';
  elsif required is null then
    select k.scopes, k.modes into required, modes from gcos_gate_rules_of(version) k;
  end if;
  required := coalesce(required, '{}');
  if version is not null and cardinality(required) = 0 then
    general := '[{"code": "no_scope"}]';
  end if;
  if in_prod then
    select
      (select n.run_id from candidate_scan_run n where n.ledger is not null order by n.started_at desc, n.run_id desc limit 1),
      (select n.run_id from candidate_scan_run n where n.ledger is not null and n.status = 'completed' and n.ledger ->> 'closes' = 'true'
        order by n.started_at desc, n.run_id desc limit 1),
      gcos_gate_overdue(p_at)
    into last_run, last_closed, overdue;
    if last_run is distinct from last_closed or last_run is null then
      general := general || jsonb_build_object('code', 'ledger_not_closed', 'stage', 'prod', 'run', last_run, 'closed', last_closed);
    end if;
    if overdue is not null then
      general := general || jsonb_build_object('code', 'worker_overdue', 'stage', 'prod', 'workers', overdue);
    end if;
  end if;

  -- Rows of their own, and for whom these are not enough.
  select array_agg(o.inventory_key order by i.no), array_agg(o.rows order by i.no), array_agg(o.rows > 0 order by i.no), bool_or(o.excepted)
  into places, own, known, excepted
  from unnest(p_collections, p_codes) with ordinality as i(collection_name, entity_code, no)
  cross join lateral (
    select min(c.inventory_key) as inventory_key, count(*) as rows, bool_or(c.coverage_outcome = 'exception') as excepted
    from governance_candidate_object c
    where c.object_key = gcos_object_key(i.collection_name, i.entity_code) and c.row_state = 'active' and c.scope = any (required)
  ) as o;
  if cardinality(required) > any (own) then
    select array_agg(coalesce(i.place, p.inventory_key) order by i.no), array_agg(i.place is not null or p.item_no is not null order by i.no),
      array_agg(coalesce(p.speaks, false) order by i.no)
    into places, known, speaks
    from unnest(places, own) with ordinality as i(place, rows, no)
    left join gcos_gate_places(p_collections, p_codes, p_groups) p on p.item_no = i.no and i.rows < cardinality(required);
    excepted := excepted or exists (
      select from governance_candidate_state c
      where c.inventory_key = any (places) and c.row_state = 'active' and c.coverage_outcome = 'exception');
    if exists (select from unnest(p_groups) as g(key) where g.key is not null) then
      excepted := true;
    end if;
  end if;
  if excepted then
    in_force := array(select x.exception_code from governance_exception_in_force(p_at) x);
  end if;
  if exists (select from unnest(p_groups) as g(key) where g.key is not null) then
    members := gcos_gate_members(p_groups, places, p_stages, required, in_force, p_at);
  end if;

  if in_prod or 'route' = any (p_stages) then
    select jsonb_object_agg(f.no, f.list) into found_open
    from gcos_gate_findings(p_collections, p_codes, p_groups, places, speaks, p_stages, p_closed) f;
  end if;

  for item in
    select i.no, i.collection_name, i.entity_code, i.group_asked, i.stage, i.action, i.place, i.known, u.scopes, u.snapshot_refs,
      u.ruleset_versions, u.scan_times, u.row_ids, coalesce(u.high_risk, true) as high_risk, u.list
    from unnest(p_collections, p_codes, p_groups, p_stages, p_actions, places, known, own, speaks) with ordinality
      as i(collection_name, entity_code, group_asked, stage, action, place, known, own, speaks, no)
    cross join lateral (
      select array_agg(s.scope) as scopes, array_agg(s.source_snapshot_ref) as snapshot_refs, array_agg(s.ruleset_version) as ruleset_versions,
        array_agg(s.scan_time) as scan_times, array_agg(s.row_id) as row_ids, bool_or(gcos_gate_high_risk(s.risk_class, i.action)) as high_risk,
        jsonb_agg(jsonb_strip_nulls(jsonb_build_object('scope', s.scope, 'codes', k.codes, 'by', s.kind, 'verdict', s.candidate_verdict,
          'line', s.verdict_line, 'stale_after', s.stale_after, 'dirty_reason', s.dirty_reason, 'dirtied_at', s.dirtied_at,
          'snapshot', s.source_snapshot_ref::text, 'ruleset', s.ruleset_version, 'input_state', s.input_quality_state, 'owner', s.owner_scope,
          'links', case when k.codes && array['orphan', 'exception_lapsed'] then s.coverage_evidence -> 'links' end)) order by s.scope)
          filter (where cardinality(k.codes) > 0) as list
      from (
        select 'object'::text as kind, c.row_id, c.scope, c.source_snapshot_ref, c.ruleset_version, c.scan_time, c.risk_class, c.candidate_verdict,
          c.verdict_line, c.stale_after, c.dirty_reason, c.dirtied_at, c.input_quality_state, c.owner_scope, c.coverage_required,
          c.coverage_scan_ref, c.coverage_outcome, c.coverage_evidence, c.evidence
        from governance_candidate_object c
        where c.object_key = gcos_object_key(i.collection_name, i.entity_code) and c.row_state = 'active' and c.scope = any (required)
        union all
        select 'group', c.row_id, c.scope, c.source_snapshot_ref, c.ruleset_version, c.scan_time, c.risk_class, c.candidate_verdict,
          c.verdict_line, c.stale_after, c.dirty_reason, c.dirtied_at, c.input_quality_state, c.owner_scope, c.coverage_required,
          c.coverage_scan_ref, c.coverage_outcome, c.coverage_evidence, c.evidence
        from governance_candidate_state c
        where i.own < cardinality(required) and i.speaks and c.inventory_key = i.place and c.row_state = 'active' and c.scope = any (required)
          and not exists (
            select from governance_candidate_object o
            where o.object_key = gcos_object_key(i.collection_name, i.entity_code) and o.scope = c.scope and o.row_state = 'active')
      ) as s
      join governance_validity(p_at) v on v.row_id = s.row_id
      -- Fenced: an expression with a subquery in it would keep the function below from being part of this plan.
      cross join lateral (
        select v.reason as invalid,
          case when v.reason = 'ruleset_not_active' then (select r.status from governance_ruleset r where r.ruleset_version = s.ruleset_version) end
            as ruleset_status,
          case when s.coverage_outcome = 'exception' then exists (
            select from jsonb_each(s.coverage_evidence -> 'links') as l(link, is)
            where l.is ? 'exception' and l.is ->> 'exception' <> all (in_force)) end as lapsed
        offset 0
      ) as x
      cross join lateral (
        select gcos_gate_codes(i.stage, s.candidate_verdict, x.invalid, x.ruleset_status, s.coverage_required, s.coverage_scan_ref is not null,
          s.coverage_outcome, x.lapsed, s.owner_scope, s.evidence ->> 'profile') as codes
        offset 0
      ) as k
    ) as u
  loop
    item_no := item.no;
    inventory_key := item.place;
    scopes := coalesce(item.scopes, '{}');
    snapshot_refs := coalesce(item.snapshot_refs, '{}');
    ruleset_versions := coalesce(item.ruleset_versions, '{}');
    scan_times := coalesce(item.scan_times, '{}');
    row_ids := coalesce(item.row_ids, '{}');
    high_risk := item.high_risk;
    mode := case when modes ->> item.stage = 'observe' then 'observe' else 'enforce' end;
    pass_code := null;
    reasons := item.list;
    if general <> '[]' then
      reasons := coalesce(reasons, '[]') || (
        select coalesce(jsonb_agg(g.reason - 'stage'), '[]') from jsonb_array_elements(general) as g(reason)
        where coalesce(g.reason ->> 'stage', item.stage) = item.stage);
    end if;
    if members ? item.no::text then
      reasons := coalesce(reasons, '[]') || (members -> item.no::text -> 'list');
      high_risk := high_risk or (members -> item.no::text -> 'high')::boolean;
    end if;
    if found_open ? item.no::text and item.stage in ('route', 'prod') then
      reasons := coalesce(reasons, '[]') || (found_open -> item.no::text);
    end if;
    if item.known is not true then
      reasons := jsonb_build_array(jsonb_build_object('code', 'not_found'));
    elsif cardinality(scopes) < cardinality(required) then
      reasons := coalesce(reasons, '[]') || (
        select jsonb_agg(jsonb_build_object('scope', q.scope, 'codes', case when item.stage = 'prod' then '["unknown"]'::jsonb
          when item.stage = 'design' then '["owner_missing"]' else '["owner_missing", "profile_missing"]' end, 'by', 'nobody') order by q.scope)
        from unnest(required) as q(scope)
        where q.scope <> all (scopes));
      high_risk := true;
    end if;
    reasons := nullif(reasons, '[]');
    answer := case when item.known is not true then 'block'
      else gcos_gate_answer(high_risk, case when reasons is null then 0 else 1 end) end;
    if answer = 'block' and item.known then
      if passes is null then
        select coalesce(jsonb_agg(to_jsonb(p)), '[]') into passes from gcos_gate_passes(p_at) p;
      end if;
      if passes <> '[]' then
        select p.is ->> 'pass_code' into pass_code
        from jsonb_array_elements(passes) as p(is)
        where coalesce(p.is ->> 'stage', item.stage) = item.stage and coalesce(p.is ->> 'action', item.action) = item.action
          and (p.is ->> 'inventory_key' = item.place
            or p.is ->> 'collection_name' = item.collection_name and p.is ->> 'entity_code' = item.entity_code)
        order by 1
        limit 1;
        if pass_code is not null then
          answer := 'allow';
        end if;
      end if;
    end if;
    return next;
  end loop;
end
$gcos_function$;
comment on function gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, text[]) is 'GCOS: what the gate answers, without asking it: nothing is recorded';
revoke all on function gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, text[]) from public;
grant execute on function gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, text[]) to {{worker}}, {{api}};
