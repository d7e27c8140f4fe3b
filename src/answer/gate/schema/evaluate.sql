-- The answer to each of any number of questions: an object (collection and code) or a group, a stage, an action. One statement for whoever
-- asks, and one look at the database: a stable function sees what its caller's statement sees. Nothing is written. One row per answer, with the numbers
-- of the questions that it answers. One stage, one action or no group at all stands for all. Three ways: a short one for one object, a short one for many, and the long one for all of which something is to
-- be said. Plans are kept, as planning anew costs ten times as much as running them; and go by indexes, as one kept from an empty table would read
-- all of a full one.
create function gcos_gate_evaluate(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_at timestamptz, p_closed text[])
returns table (
  first_item integer, item_nos integer[], collection_name text, entity_codes text[], group_asked text, stage text, action text, answer text,
  mode text, high_risk boolean, inventory_key text, pass_code text, scopes text[], snapshot_refs bigint[], ruleset_versions text[],
  scan_times timestamptz[], row_ids bigint[], reasons jsonb)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $gcos_function$
#variable_conflict use_column
declare
  asked constant integer := cardinality(p_collections);
  others integer[];
begin
  -- One object of which nothing is to be said, as most questions are: one statement, and nothing kept in variables, which would be copied.
  if asked = 1 then
    return query
    select 1, array[1], p_collections[1], p_codes, null::text, p_stages[1], p_actions[1], 'allow'::text,
      case when k.modes ->> p_stages[1] = 'observe' then 'observe' else 'enforce' end, u.high, u.place, null::text, u.scopes, u.snapshots,
      array_fill(u.ruleset, array[cardinality(u.row_ids)]), u.scans, null::bigint[], null::jsonb
    from (
      select array_agg(c.row_id) as row_ids, array_agg(c.scope) as scopes, array_agg(c.source_snapshot_ref) as snapshots,
        array_agg(c.scan_time) as scans, bool_or(gcos_gate_high_risk(c.risk_class, p_actions[1])) as high, min(c.inventory_key) as place,
        min(c.ruleset_version) as ruleset
      from governance_candidate_object c
      where c.object_key = gcos_gate_key(p_collections[1], p_codes[1]) and c.row_state = 'active'
        and gcos_gate_plain(c.candidate_verdict, c.coverage_scan_ref, c.coverage_outcome)
    ) as u
    -- Only one ruleset is in force, and what is valid was judged under it.
    join governance_gate_rules k on k.ruleset_version = u.ruleset
    -- No scope is there twice.
    where cardinality(k.scopes) = cardinality(u.scopes) and u.scopes <@ k.scopes
      and (select n.status from candidate_scan_run n where n.ledger is not null order by n.started_at desc, n.run_id desc limit 1) = 'completed'
      and not exists (
        select from governance_finding_key n
        where hashtextextended(n.entity_code, 0) = hashtextextended(p_codes[1], 0) and n.entity_code = p_codes[1]
          and n.severity in ('critical', 'high'))
      and not exists (select from governance_finding_key n where n.finding_type = 'snapshot_nondeterministic')
      -- Counted: as a condition on existence it would be joined with all rows there are.
      and (select count(*) from governance_validity(p_at) v where v.row_id = any (u.row_ids) and not v.valid) = 0
      and not exists (select from gcos_gate_overdue(p_at));
    if found then
      return;
    end if;
  end if;

  -- Many, of which nothing is to be said of most, as a release should be.
  if asked > 1 then
    answer := 'allow';
    for first_item, item_nos, collection_name, entity_codes, stage, action, mode, high_risk, inventory_key, scopes, snapshot_refs,
      ruleset_versions, scan_times in
      select c.first_item, c.item_nos, c.collection_name, c.entity_codes, c.stage, c.action, c.mode, c.high_risk, c.inventory_key, c.scopes,
        c.snapshot_refs, c.ruleset_versions, c.scan_times
      from gcos_gate_release(p_collections, p_codes, p_stages, p_actions, p_at) c
    loop
      if first_item is null then
        others := item_nos;
      else
        return next;
      end if;
    end loop;
    if found and others is null then
      return;
    end if;
    if cardinality(p_stages) = 1 then
      p_stages := array_fill(p_stages[1], array[asked]);
    end if;
    if cardinality(p_actions) = 1 then
      p_actions := array_fill(p_actions[1], array[asked]);
    end if;
    if others is not null then
      select array_agg(i.no order by i.no), array_agg(i.collection_name order by i.no), array_agg(i.entity_code order by i.no),
        array_agg(i.group_asked order by i.no), array_agg(i.stage order by i.no), array_agg(i.action order by i.no)
      into others, p_collections, p_codes, p_groups, p_stages, p_actions
      from unnest(p_collections, p_codes, p_groups, p_stages, p_actions) with ordinality as i(collection_name, entity_code, group_asked, stage, action, no)
      join unnest(others) as o(no) on o.no = i.no;
    end if;
  end if;

  return query
  select k.no, array[k.no], e.collection_name, array[e.entity_code], e.group_asked, e.stage, e.action, e.answer, e.mode,
    e.high_risk, e.inventory_key, e.pass_code, e.scopes, e.snapshot_refs, e.ruleset_versions, e.scan_times, e.row_ids, e.reasons
  from gcos_gate_one_by_one(p_collections, p_codes, p_groups, p_stages, p_actions, p_at, p_closed) e
  cross join lateral (select case when others is null then e.item_no::integer else others[e.item_no] end as no) as k;
end
$gcos_function$;
comment on function gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, text[]) is 'GCOS: what the gate answers, without asking it: nothing is recorded';
revoke all on function gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, text[]) from public;
grant execute on function gcos_gate_evaluate(text[], text[], text[], text[], text[], timestamptz, text[]) to {{worker}}, {{api}};
