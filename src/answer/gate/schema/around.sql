-- The words that people use for a finding that is closed.
create function gcos_gate_closed_words()
returns text[]
language plpgsql stable
as $gcos_function$
begin
  return array(
    select jsonb_array_elements_text(w.setting_value) from governance_setting w where w.setting_key = 'finding.closed_words');
end
$gcos_function$;

-- Open findings, high or critical, that are about what is asked: those that name the object; of what its container answers for, those of the
-- container; of a group, all of its findings. Findings about other objects of the same group are theirs. p_closed: the host's word for
-- closed, beside those of the setting.
create function gcos_gate_findings(
  p_collections text[], p_codes text[], p_groups text[], p_places text[], p_speaks boolean[], p_stages text[], p_closed text[])
returns table (no bigint, list jsonb)
language sql stable
as $gcos_function$
  select f.no, jsonb_agg(jsonb_build_object('code', 'open_finding', 'scope', f.scope, 'finding', f.issue_code, 'type', f.finding_type,
    'severity', f.severity, 'who', f.routes, 'closed_when', f.closed_when) order by f.issue_code)
  from (
    select i.no, k.scope, k.issue_code, k.issue_id, k.finding_type, k.severity, k.routes, t.closed_when
    from unnest(p_collections, p_codes, p_groups, p_places, p_speaks, p_stages) with ordinality
      as i(collection_name, entity_code, group_asked, place, speaks, stage, no)
    cross join lateral (
      select n.scope, n.issue_code, n.issue_id, n.finding_type, n.severity, n.routes
      from governance_finding_key n
      where hashtextextended(n.entity_code, 0) = hashtextextended(i.entity_code, 0) and n.entity_code = i.entity_code
        and n.severity in ('critical', 'high') and n.entity_type in (
          i.collection_name, (select v.object_class from governance_inventory v where v.inventory_key = i.place))
      union
      select n.scope, n.issue_code, n.issue_id, n.finding_type, n.severity, n.routes
      from governance_finding_key n
      where i.speaks and hashtextextended(n.subject, 0) = hashtextextended(i.place, 0) and n.subject = i.place
        and n.severity in ('critical', 'high') and (i.group_asked is not null or n.entity_type = 'collection')
    ) as k
    join governance_finding_type t on t.finding_type = k.finding_type
    where i.stage in ('route', 'prod')
  ) as f
  join system_issues s on s.id = f.issue_id and s.code = f.issue_code and (s.status::text = any (p_closed || gcos_gate_closed_words())) is not true
  group by f.no
$gcos_function$;

-- What speaks against the rows that answer, per item, with what its sentences are made of.
create function gcos_gate_details(p_nos bigint[], p_rows bigint[], p_stages text[], p_in_force text[], p_at timestamptz)
returns jsonb
language plpgsql stable
as $gcos_function$
begin
  return (
    select jsonb_object_agg(d.no, d.list)
    from (
      select u.no, jsonb_agg(jsonb_strip_nulls(jsonb_build_object('scope', s.scope, 'codes', k.codes, 'by', s.kind,
        'verdict', s.candidate_verdict, 'line', s.verdict_line, 'stale_after', s.stale_after, 'dirty_reason', s.dirty_reason,
        'dirtied_at', s.dirtied_at, 'snapshot', s.source_snapshot_ref::text, 'ruleset', s.ruleset_version,
        'input_state', s.input_quality_state, 'owner', s.owner_scope,
        'links', case when k.codes && array['orphan', 'exception_lapsed'] then s.coverage_evidence -> 'links' end)) order by s.scope) as list
      from unnest(p_nos, p_rows, p_stages) as u(no, row_id, stage)
      cross join lateral (
        select 'object'::text as kind, c.scope, c.source_snapshot_ref, c.ruleset_version, c.candidate_verdict, c.verdict_line, c.stale_after,
          c.dirty_reason, c.dirtied_at, c.input_quality_state, c.owner_scope, c.coverage_required, c.coverage_scan_ref, c.coverage_outcome,
          c.coverage_evidence, c.evidence
        from governance_candidate_object c
        where c.row_id = u.row_id
        union all
        select 'group', c.scope, c.source_snapshot_ref, c.ruleset_version, c.candidate_verdict, c.verdict_line, c.stale_after,
          c.dirty_reason, c.dirtied_at, c.input_quality_state, c.owner_scope, c.coverage_required, c.coverage_scan_ref, c.coverage_outcome,
          c.coverage_evidence, c.evidence
        from governance_candidate_state c
        where c.row_id = u.row_id
      ) as s
      -- Fenced: only so is each row looked up by its number, and the function below part of this plan.
      cross join lateral (
        select v.reason as invalid,
          case when v.reason = 'ruleset_not_active' then (select r.status from governance_ruleset r where r.ruleset_version = s.ruleset_version) end
            as ruleset_status,
          case when s.coverage_outcome = 'exception' then exists (
            select from jsonb_each(s.coverage_evidence -> 'links') as l(link, held)
            where l.held ? 'exception' and l.held ->> 'exception' <> all (p_in_force)) end as lapsed
        from governance_validity(p_at) v
        where v.row_id = u.row_id
        offset 0
      ) as x
      cross join lateral (
        select gcos_gate_codes(u.stage, s.candidate_verdict, x.invalid, x.ruleset_status, s.coverage_required,
          s.coverage_scan_ref is not null, s.coverage_outcome, x.lapsed, s.owner_scope, s.evidence ->> 'profile') as codes
        offset 0
      ) as k
      where cardinality(k.codes) > 0
      group by u.no
    ) as d);
end
$gcos_function$;

-- What speaks against single objects of groups whose objects count one by one. The row of the group says how they are covered; whether that still
-- holds of each is said here.
create function gcos_gate_members(p_groups text[], p_places text[], p_stages text[], p_required text[], p_at timestamptz)
returns jsonb
language plpgsql stable
as $gcos_function$
declare
  in_force constant text[] := array(select x.exception_code from governance_exception_in_force(p_at) x);
begin
  return (
    select jsonb_object_agg(m.no, jsonb_build_object('high', m.high, 'list', m.list))
    from (
      select r.no, bool_or(r.high) as high, jsonb_agg(jsonb_build_object('scope', r.scope, 'codes', jsonb_build_array(r.code), 'by', 'members',
        'objects', r.objects, 'sample', r.sample) order by r.scope, r.code) as list
      from (
        select i.no, o.scope, k.code, count(*) as objects, to_jsonb((array_agg(o.entity_code order by o.entity_code))[1:3]) as sample,
          bool_or(gcos_gate_high_risk(o.risk_class, 'execute')) as high
        from unnest(p_groups, p_places, p_stages) with ordinality as i(group_asked, place, stage, no)
        join governance_inventory n on n.inventory_key = i.place and not n.inherits
        join governance_candidate_object o on o.inventory_key = i.place and o.row_state = 'active' and p_required @> array[o.scope]
        cross join lateral (
          select v.reason as invalid, (select r.status from governance_ruleset r where r.ruleset_version = o.ruleset_version) as ruleset_status,
            case when o.coverage_outcome = 'exception' then exists (
              select from jsonb_each(o.coverage_evidence -> 'links') as l(link, held)
              where l.held ? 'exception' and l.held ->> 'exception' <> all (in_force)) end as lapsed
          from governance_validity(p_at) v
          where v.row_id = o.row_id
          offset 0
        ) as x
        cross join lateral unnest(gcos_gate_codes(i.stage, o.candidate_verdict, x.invalid, x.ruleset_status, o.coverage_required,
          o.coverage_scan_ref is not null, o.coverage_outcome, x.lapsed, o.owner_scope, o.evidence ->> 'profile')) as k(code)
        where i.group_asked is not null
        group by i.no, o.scope, k.code
      ) as r
      group by r.no
    ) as m);
end
$gcos_function$;
revoke all on function gcos_gate_closed_words(), gcos_gate_findings(text[], text[], text[], text[], boolean[], text[], text[]),
  gcos_gate_details(bigint[], bigint[], text[], text[], timestamptz), gcos_gate_members(text[], text[], text[], text[], timestamptz) from public;
grant execute on function gcos_gate_closed_words(), gcos_gate_findings(text[], text[], text[], text[], boolean[], text[], text[]),
  gcos_gate_details(bigint[], bigint[], text[], text[], timestamptz), gcos_gate_members(text[], text[], text[], text[], timestamptz)
  to {{worker}}, {{api}};
set local check_function_bodies to default;
