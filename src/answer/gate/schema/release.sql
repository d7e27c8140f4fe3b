-- Objects of which nothing is to be said, all that are asked about or none: the short way for a release that is in order. What all scopes of an object
-- have in common is said once.
create function gcos_gate_release(p_collections text[], p_codes text[], p_stages text[], p_actions text[], p_at timestamptz)
returns table (
  item_no bigint, collection_name text, entity_code text, stage text, action text, mode text, high_risk boolean, inventory_key text,
  scopes text[], snapshot_refs bigint[], ruleset_versions text[], scan_times timestamptz[], row_ids bigint[])
language plpgsql stable
as $gcos_function$
#variable_conflict use_column
begin
  return query
  with unit as materialized (
    select i.no, min(i.collection_name) as collection_name, min(i.entity_code) as entity_code, min(i.stage) as stage, min(i.action) as action,
      count(*) as rows, array_agg(c.row_id) as row_ids, min(c.source_snapshot_ref) as snapshot, min(c.scan_time) as scan,
      min(c.source_snapshot_ref) = max(c.source_snapshot_ref) and min(c.scan_time) = max(c.scan_time) as is_uniform,
      bool_or(gcos_gate_high_risk(c.risk_class, i.action)) as high, min(c.inventory_key) as place, min(c.ruleset_version) as ruleset,
      min(nullif(c.recompute_status, 'ok')) as recompute, bool_or(c.dirty) as dirty, min(c.stale_after) as stale_after
    from unnest(p_collections, p_codes, p_stages, p_actions) with ordinality as i(collection_name, entity_code, stage, action, no)
    join governance_candidate_object c on c.object_key = gcos_gate_key(i.collection_name, i.entity_code)
    where c.row_state = 'active' and gcos_gate_plain(c.candidate_verdict, c.coverage_scan_ref, c.coverage_outcome)
      and (
        select k.scopes
        from governance_ruleset r
        join governance_gate_rules k on k.ruleset_version = r.ruleset_version
        where r.family = 'governance' and r.status = 'active') @> array[c.scope]
    group by i.no
  )
  select u.no, u.collection_name, u.entity_code, u.stage, u.action,
    case when k.modes ->> u.stage = 'observe' then 'observe' else 'enforce' end, u.high, u.place, k.scopes, array[u.snapshot],
    array[u.ruleset], array[u.scan], u.row_ids
  -- Fenced: asked once, not once per item.
  from (
    select k.scopes, k.modes
    from (select min(n.ruleset) as ruleset from unit n) as one
    join governance_gate_rules k on k.ruleset_version = one.ruleset
    join governance_ruleset r on r.ruleset_version = one.ruleset
    where (
        select count(*) from unit n
        where n.rows = cardinality(k.scopes) and n.is_uniform and n.ruleset = k.ruleset_version
          -- Of rows under one ruleset and one snapshot the first to end says when all of them do.
          and gcos_validity_reason(r.status, exists (select from evolution_snapshots s where s.id = n.snapshot), coalesce(n.recompute, 'ok'),
            n.dirty, n.stale_after, p_at) is null
          and not exists (
            select from governance_finding_key f
            where hashtextextended(f.entity_code, 0) = hashtextextended(n.entity_code, 0) and f.severity in ('critical', 'high')
            offset 0)) = cardinality(p_stages)
      and (select n.status from candidate_scan_run n where n.ledger is not null order by n.started_at desc, n.run_id desc limit 1)
        = 'completed'
      and not exists (select from governance_finding_key n where n.finding_type = 'snapshot_nondeterministic')
      and not exists (select from gcos_gate_overdue(p_at))
    offset 0
  ) as k
  cross join unit u;
end
$gcos_function$;
revoke all on function gcos_gate_release(text[], text[], text[], text[], timestamptz) from public;
grant execute on function gcos_gate_release(text[], text[], text[], text[], timestamptz) to {{worker}}, {{api}};
