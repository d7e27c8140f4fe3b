-- The short way for many: those objects of which nothing is to be said, together where all of it is the same; and, without a first item, the numbers
-- of the others. No row at all: there is something to be said of everything. What all scopes of an object have in common is said once.
create function gcos_gate_release(p_collections text[], p_codes text[], p_stages text[], p_actions text[], p_at timestamptz)
returns table (
  first_item integer, item_nos integer[], collection_name text, entity_codes text[], stage text, action text, mode text, high_risk boolean,
  inventory_key text, scopes text[], snapshot_refs bigint[], ruleset_versions text[], scan_times timestamptz[])
language plpgsql stable
set enable_nestloop = off
set enable_sort = off
as $gcos_function$
#variable_conflict use_column
declare
  version text;
  required text[];
  modes jsonb;
  found_about text[];
  one_stage constant text := p_stages[1];
  one_action constant text := p_actions[1];
begin
  select r.ruleset_version, k.scopes, k.modes into version, required, modes
  from governance_ruleset r
  join governance_gate_rules k on k.ruleset_version = r.ruleset_version
  where r.family = 'governance' and r.status = 'active' and cardinality(k.scopes) > 0
    and (select n.status from candidate_scan_run n where n.ledger is not null order by n.started_at desc, n.run_id desc limit 1) = 'completed'
    and not exists (select from governance_finding_key n where n.finding_type = 'snapshot_nondeterministic')
    and not exists (select from gcos_gate_overdue(p_at));
  if not found then
    return;
  end if;
  found_about := array(
    select distinct f.entity_code
    from governance_finding_key f
    where hashtextextended(f.entity_code, 0) = any (array(select hashtextextended(c.code, 0) from unnest(p_codes) as c(code)))
      and f.severity in ('critical', 'high'));
  return query
  with item as materialized (
    select i.no::integer as no, i.collection_name, i.entity_code, coalesce(i.stage, one_stage) as stage, coalesce(i.action, one_action) as action,
      case when f.code is null then gcos_gate_key(i.collection_name, i.entity_code) end as object_key
    from unnest(p_collections, p_codes, p_stages, p_actions) with ordinality as i(collection_name, entity_code, stage, action, no)
    left join unnest(found_about) as f(code) on f.code = i.entity_code
  ),
  -- All keys in one look at the index, and every page of the table once; `is true` keeps the scope out of that look, which older servers would repeat
  -- for each, and `select` has the list copied once, not for every row. Rows of which something is to be said are left out, and then there are too few.
  unit as materialized (
    select c.object_key, c.source_snapshot_ref as snapshot, c.scan_time as scan, c.inventory_key as place, c.risk_class as risk
    from governance_candidate_object c
    where c.object_key = any (array(select i.object_key from item i)) and c.row_state = 'active' and c.ruleset_version = version
      and (c.scope = any ((select required)::text[])) is true and gcos_gate_plain(c.candidate_verdict, c.coverage_scan_ref, c.coverage_outcome)
      and gcos_validity_reason('active', true, c.recompute_status, c.dirty, c.stale_after, p_at) is null
    group by c.object_key, c.source_snapshot_ref, c.scan_time, c.inventory_key, c.risk_class
    having count(*) = cardinality(required)
  )
  select case when k.place is not null then min(k.no) end, array_agg(k.no), k.collection_name, array_agg(k.entity_code), k.stage, k.action,
    case when modes ->> k.stage = 'observe' then 'observe' else 'enforce' end, gcos_gate_high_risk(k.risk, k.action), k.place, required,
    array[k.snapshot], array[version], array[k.scan]
  from (
    select i.no, i.entity_code, u.place, u.snapshot, u.scan, u.risk, case when u.place is not null then i.collection_name end as collection_name,
      case when u.place is not null then i.stage end as stage, case when u.place is not null then i.action end as action
    from item i
    left join unit u on u.object_key = i.object_key
      and u.snapshot = any (array(select s.id from evolution_snapshots s where s.id = any (array(select distinct n.snapshot from unit n))))
  ) as k
  group by k.place, k.snapshot, k.scan, k.risk, k.collection_name, k.stage, k.action;
end
$gcos_function$;
revoke all on function gcos_gate_release(text[], text[], text[], text[], timestamptz) from public;
grant execute on function gcos_gate_release(text[], text[], text[], text[], timestamptz) to {{worker}}, {{api}};
