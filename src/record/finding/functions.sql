set local role {{trust_owner}};
-- The status values that mean a closed finding: the host's own word, and those of the operator's setting.
-- INVARIANT: every other value, one that the host introduced since included, is open, for everything that
-- asks.
create function {{trust}}.gcos_closed_statuses()
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return array(
    select w.word
    from (
      select {{trust}}.gcos_host_word('issue_status', 'resolved')
      union
      select jsonb_array_elements_text(s.setting_value) from {{trust}}.governance_setting s where s.setting_key = 'finding.closed_statuses'
    ) as w(word)
    where w.word is not null);
end
$gcos_function$;
comment on function {{trust}}.gcos_closed_statuses() is 'GCOS: the words in system_issues.status that mean a closed finding';
revoke all on function {{trust}}.gcos_closed_statuses() from public;
grant execute on function {{trust}}.gcos_closed_statuses() to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};

-- What tells findings apart beside their key. business_logic_hash: of the rule behind it, which is the
-- finding type and the ruleset (for findings about GCOS itself: no ruleset). violation_hash: of the cause
-- and its evidence without the run, so that a finding that comes back with the same evidence is recognised.
create function {{trust}}.gcos_rule_hash(p_type text, p_raised_when text, p_ruleset text) returns text
language sql stable
return encode(sha256(convert_to(jsonb_build_array(p_type, p_raised_when, p_ruleset)::text, 'UTF8')), 'hex');
create function {{trust}}.gcos_violation_hash(p_key text, p_evidence jsonb) returns text
language sql stable
return encode(sha256(convert_to(jsonb_build_array(p_key, p_evidence -> 'link', p_evidence -> 'risk', p_evidence -> 'facts')::text, 'UTF8')), 'hex');
revoke all on function {{trust}}.gcos_rule_hash(text, text, text), {{trust}}.gcos_violation_hash(text, jsonb) from public;

-- Stores findings; only gcos_write_findings calls it. It inserts rows of its own kind into system_issues, and
-- updates only rows whose id and code are in governance_finding_key, which no other function fills; it cannot
-- change any other row. Steps: lock all affected keys in key order, which prevents deadlocks; resolve; count
-- repeated observations of open findings; reopen closed ones; insert new ones; then decide which changes are
-- announced.
create function {{trust}}.gcos_store_findings(
  p_key text[], p_type text[], p_subject text[], p_scope text[], p_parent text[], p_summary boolean[],
  p_entity_type text[], p_entity_code text[], p_severity text[], p_routes text[], p_evidence text[], p_count bigint[],
  p_run text, p_at timestamptz, p_ruleset text,
  p_clean_types text[], p_clean_subjects text[], p_clean_keys text[])
returns table (
  coalesce_key text, issue_code text, issue_id bigint, finding_type text, family text, event_type text, subject text,
  scope text, severity text, routes text[], change text, notify boolean, occurrence_count bigint)
language plpgsql
rows 100
security definer
set search_path = pg_catalog, pg_temp
-- Custom plans, because a plan cached for an empty table would scan a full one. No sequential scans: batches
-- are small and the host's table is large; before the first ANALYZE of GCOS's tables, each call scanned the
-- host's table several times and was 20 times slower. Each look-up of a finding by its key, and of its issue,
-- is fenced (offset 0): after a join, the planner may expect few rows, and compare each finding with each
-- element of the arrays (94 s for 11,400 findings). The remaining joins with the keys are updates, which
-- cannot be fenced: where the statistics are wrong, a large page hashes them.
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_mergejoin = off
set enable_nestloop = on
as $gcos_function$
#variable_conflict use_column
declare
  levels constant text[] := array['critical', 'high', 'medium', 'low'];
  words constant text[] := {{trust}}.gcos_host_severities('issue_severity');
  v_open constant text := {{trust}}.gcos_host_word('issue_status', 'open');
  v_resolved constant text := {{trust}}.gcos_host_word('issue_status', 'resolved');
  closed constant text[] := {{trust}}.gcos_closed_statuses();
  v_cool_downs constant jsonb := (
    select s.setting_value from {{trust}}.governance_setting s where s.setting_key = 'finding.cool_down');
  stranger text;
  clean text[] := '{}';
  graver text[];
  repeated bigint;
  reopened text[];
  raised text[];
begin
  -- For up to 20 keys, planning takes most of the time, and every plan is an index lookup per key anyway.
  if cardinality(p_key) <= 20 and cardinality(p_clean_keys) <= 20 is not false and cardinality(p_clean_subjects) <= 20 is not false then
    perform set_config('plan_cache_mode', 'force_generic_plan', true);
  end if;
  select coalesce(r.key, 'null') into stranger
  from unnest(p_key, p_type) as r(key, kind)
  left join {{schema}}.governance_finding_type f on f.finding_type = r.kind
  where starts_with(r.key, 'gov:' || f.family || ':' || f.finding_type || ':') is not true
  limit 1;
  if found then
    raise exception 'not a finding of GCOS: %', stranger using errcode = 'invalid_parameter_value';
  end if;
  -- UG005: an arbitrary word could understate a problem.
  select n.what into stranger
  from (
    select 'status `open`' as what where v_open is null
    union all
    select 'status `resolved`' where v_resolved is null
    union all
    select 'severity `' || r.severity || '`' from unnest(p_severity) as r(severity) where words[array_position(levels, r.severity)] = ''
  ) as n
  limit 1;
  if found then
    raise exception 'the host allows no word for the %', stranger using errcode = 'UG005';
  end if;

  -- The evaluated findings that are open and were not observed.
  if p_clean_keys is not null then
    clean := array(
      select k.coalesce_key
      from {{schema}}.governance_finding_key k
      join {{schema}}.system_issues i on i.id = k.issue_id and i.code = k.issue_code
      where k.coalesce_key = any (p_clean_keys) and (i.status::text = any (closed)) is not true);
  elsif p_clean_types is not null and p_clean_subjects is null then
    clean := array(
      select k.coalesce_key
      from {{schema}}.governance_finding_key k
      join {{schema}}.system_issues i on i.id = k.issue_id and i.code = k.issue_code
      where k.finding_type = any (p_clean_types) and (i.status::text = any (closed)) is not true
        and not exists (select from unnest(p_key) as r(key) where r.key = k.coalesce_key));
  elsif p_clean_types is not null then
    -- A summary represents unnamed subjects, so it is not clean because of a list of subjects.
    clean := array(
      select k.coalesce_key
      from (select distinct s.subject from unnest(p_clean_subjects) as s(subject)) as looked_at
      join {{schema}}.governance_finding_key k
        on hashtextextended(k.subject, 0) = hashtextextended(looked_at.subject, 0) and k.subject = looked_at.subject
      join {{schema}}.system_issues i on i.id = k.issue_id and i.code = k.issue_code
      where k.finding_type = any (p_clean_types) and not k.is_summary and (i.status::text = any (closed)) is not true
        and not exists (select from unnest(p_key) as r(key) where r.key = k.coalesce_key));
  end if;

  if cardinality(p_key) + cardinality(clean) = 0 then
    return;
  end if;
  -- Statistics that were taken after a write was rolled back promise a few keys in many pages: nested loops
  -- then compared 2,000 findings with each of 30,000 keys, so that every further attempt timed out.
  if cardinality(p_key) + cardinality(clean) > 500 and exists (
      select from pg_class c
      where c.oid in ('{{schema}}.governance_finding_key'::regclass, '{{schema}}.system_issues'::regclass)
        and c.relpages > 10 and c.reltuples < c.relpages) then
    perform set_config('enable_nestloop', 'off', true);
  end if;
  insert into {{schema}}.governance_finding_key (
    coalesce_key, issue_code, finding_type, subject, scope, entity_type, entity_code, parent_key, is_summary, severity, routes, ruleset)
  select r.key, 'GCOS-' || left(encode(sha256(convert_to(r.key, 'UTF8')), 'hex'), 20), r.kind, r.subject,
    nullif(r.scope, ''), r.entity_type, r.entity_code, nullif(r.parent, ''), r.summary, r.severity,
    array(select jsonb_array_elements_text(r.routes::jsonb)), p_ruleset
  from unnest(p_key, p_type, p_subject, p_scope, p_entity_type, p_entity_code, p_parent, p_summary, p_severity, p_routes)
    as r(key, kind, subject, scope, entity_type, entity_code, parent, summary, severity, routes)
  order by r.key
  -- No conflict target: the table has two unique constraints, and a concurrent session that inserts the same
  -- new finding can conflict on either.
  on conflict do nothing;
  select r.key into stranger
  from unnest(p_key) as r(key)
  left join lateral (
    select true as there from {{schema}}.governance_finding_key k where k.coalesce_key = r.key offset 0
  ) as known on true
  where known.there is null
  limit 1;
  if found then
    raise exception 'another finding has the issue code of %', stranger using errcode = 'unique_violation';
  end if;

  perform k.coalesce_key
  from {{schema}}.governance_finding_key k
  where k.coalesce_key = any (p_key || clean)
  order by k.coalesce_key
  for update;

  return query
  with open as materialized (
    select r.key as coalesce_key, o.id, o.code
    from unnest(clean) as r(key)
    cross join lateral (
      select k.issue_id, k.issue_code from {{schema}}.governance_finding_key k where k.coalesce_key = r.key offset 0
    ) as k
    cross join lateral (
      select i.id, i.code from {{schema}}.system_issues i where i.id = k.issue_id and i.code = k.issue_code offset 0
    ) as o
  ),
  shut as (
    update {{schema}}.system_issues i
    set status = v_resolved,
      evidence_snapshot = coalesce(i.evidence_snapshot::jsonb, '{}') || jsonb_build_object(
        'closed_run', p_run, 'closed_at', p_at,
        'ruleset', coalesce(i.evidence_snapshot::jsonb -> 'ruleset', '{}') || jsonb_build_object('closed', p_ruleset))
    from open
    where (select {{trust}}.gcos_enter_host()) and i.id = open.id and i.code = open.code and (i.status::text = any (closed)) is not true
    returning open.coalesce_key, i.occurrence_count
  )
  select k.coalesce_key, k.issue_code, k.issue_id, k.finding_type, f.family, f.event_type, k.subject, k.scope, k.severity,
    k.routes, 'resolved', k.announced, coalesce(shut.occurrence_count, 0)::bigint
  from shut
  join {{schema}}.governance_finding_key k using (coalesce_key)
  join {{schema}}.governance_finding_type f using (finding_type)
  order by k.coalesce_key;
  perform {{trust}}.gcos_leave_host();

  -- Adopt the rows of an earlier installation.
  update {{schema}}.governance_finding_key k
  set issue_id = i.id
  from {{schema}}.system_issues i
  where k.coalesce_key = any (p_key) and k.issue_id is null
    and i.code = k.issue_code and i.coalesce_key = k.coalesce_key and i.source_system = 'gcos';

  -- A summary shows its current count. A repeated observation changes no other evidence of an open finding.
  if true = any (p_summary) then
    update {{schema}}.system_issues i
    set evidence_snapshot = coalesce(i.evidence_snapshot::jsonb, '{}') || n.evidence, violation_hash = {{trust}}.gcos_violation_hash(r.key, n.evidence)
    from unnest(p_key, p_summary, p_evidence) as r(key, summary, evidence)
    join {{schema}}.governance_finding_key k on k.coalesce_key = r.key
    join {{schema}}.system_issues o on o.id = k.issue_id and o.code = k.issue_code
    cross join lateral (
      select case
        -- A run may evaluate in parts, whose folded findings add up. A complete evaluation already has the
        -- total.
        when p_clean_subjects is not null and o.evidence_snapshot::jsonb ->> 'run' = p_run then jsonb_set(r.evidence::jsonb, '{facts,findings}', to_jsonb(
          coalesce((o.evidence_snapshot::jsonb #>> '{facts,findings}')::bigint, 0) + (r.evidence::jsonb #>> '{facts,findings}')::bigint))
        else r.evidence::jsonb end as evidence
    ) as n
    where (select {{trust}}.gcos_enter_host()) and r.summary and i.id = o.id and (i.status::text = any (closed)) is not true;
    perform {{trust}}.gcos_leave_host();
  end if;

  -- An open finding that is observed with a graver severity, or escalated for the first time, takes the
  -- severity, the recipients and the evidence of the observation.
  with graver_ones as materialized (
    select r.key, o.id, r.severity, r.evidence
    from unnest(p_key, p_severity, p_evidence) as r(key, severity, evidence)
    cross join lateral (
      select c.issue_id, c.issue_code, c.severity from {{schema}}.governance_finding_key c where c.coalesce_key = r.key offset 0
    ) as k
    cross join lateral (
      select i.id, i.evidence_snapshot::jsonb as evidence
      from {{schema}}.system_issues i
      where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any (closed)) is not true
      offset 0
    ) as o
    where array_position(array['low', 'medium', 'high', 'critical'], r.severity)
        > array_position(array['low', 'medium', 'high', 'critical'], k.severity)
      or r.severity = k.severity and r.evidence::jsonb @> '{"escalated": true}' and (o.evidence @> '{"escalated": true}') is not true
  ),
  risen as (
    update {{schema}}.system_issues i
    set severity = words[array_position(levels, g.severity)],
      evidence_snapshot = coalesce(i.evidence_snapshot::jsonb, '{}') || g.evidence::jsonb
    from graver_ones g
    where (select {{trust}}.gcos_enter_host()) and i.id = g.id and (i.status::text = any (closed)) is not true
    returning g.key as coalesce_key
  )
  select coalesce(array_agg(risen.coalesce_key), '{}') into graver from risen;
  perform {{trust}}.gcos_leave_host();
  if graver <> '{}' then
    update {{schema}}.governance_finding_key k
    set severity = r.severity, routes = array(select jsonb_array_elements_text(r.routes::jsonb))
    from unnest(p_key, p_severity, p_routes) as r(key, severity, routes)
    where k.coalesce_key = r.key and k.coalesce_key = any (graver);
  end if;

  with open as materialized (
    select o.id, r.count
    from unnest(p_key, p_count) as r(key, count)
    cross join lateral (
      select c.issue_id, c.issue_code from {{schema}}.governance_finding_key c where c.coalesce_key = r.key offset 0
    ) as k
    cross join lateral (
      select i.id from {{schema}}.system_issues i
      where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any (closed)) is not true
      offset 0
    ) as o
  )
  update {{schema}}.system_issues i
  set occurrence_count = least(
      coalesce(i.occurrence_count, 0)::bigint + open.count,
      case pg_typeof(i.occurrence_count) when 'integer'::regtype then 2147483647 else 9223372036854775807 end),
    last_seen_at = greatest(i.last_seen_at, p_at)
  from open
  -- The host may have closed it meanwhile: then it is reopened below.
  where (select {{trust}}.gcos_enter_host()) and i.id = open.id and (i.status::text = any (closed)) is not true;
  get diagnostics repeated = row_count;
  perform {{trust}}.gcos_leave_host();

  with shut as materialized (
    select r.key, k.finding_type, o.id, r.severity, r.evidence, r.count
    from unnest(p_key, p_severity, p_evidence, p_count) as r(key, severity, evidence, count)
    cross join lateral (
      select c.issue_id, c.issue_code, c.finding_type from {{schema}}.governance_finding_key c where c.coalesce_key = r.key offset 0
    ) as k
    cross join lateral (
      select i.id from {{schema}}.system_issues i
      where i.id = k.issue_id and i.code = k.issue_code and i.status::text = any (closed)
      offset 0
    ) as o
  ),
  back as (
    update {{schema}}.system_issues i
    set status = v_open,
      severity = words[array_position(levels, s.severity)],
      occurrence_count = least(
        coalesce(i.occurrence_count, 0)::bigint + s.count,
        case pg_typeof(i.occurrence_count) when 'integer'::regtype then 2147483647 else 9223372036854775807 end),
      reopen_count = coalesce(i.reopen_count, 0) + 1,
      last_seen_at = greatest(i.last_seen_at, p_at),
      run_id = p_run,
      business_logic_hash = {{trust}}.gcos_rule_hash(s.finding_type, f.raised_when, p_ruleset),
      violation_hash = {{trust}}.gcos_violation_hash(s.key, s.evidence::jsonb),
      evidence_snapshot = s.evidence::jsonb || jsonb_build_object('ruleset',
        coalesce(i.evidence_snapshot::jsonb -> 'ruleset', '{}') || jsonb_build_object('raised', p_ruleset, 'holds', p_ruleset))
    from shut s
    join {{schema}}.governance_finding_type f on f.finding_type = s.finding_type
    where (select {{trust}}.gcos_enter_host()) and i.id = s.id
    returning s.key as coalesce_key
  )
  select coalesce(array_agg(back.coalesce_key), '{}') into reopened from back;
  perform {{trust}}.gcos_leave_host();

  with made as (
    insert into {{schema}}.system_issues (
      code, issue_type, issue_class, sub_class, severity, entity_type, entity_code, source, source_system, coalesce_key,
      occurrence_count, reopen_count, run_id, business_logic_hash, violation_hash, evidence_snapshot, status, first_seen_at,
      last_seen_at)
    select 'GCOS-' || left(encode(sha256(convert_to(r.key, 'UTF8')), 'hex'), 20), k.finding_type, f.bucket, f.family,
      words[array_position(levels, r.severity)], r.entity_type, r.entity_code, 'gcos', 'gcos', r.key, least(r.count, 2147483647), 0, p_run,
      {{trust}}.gcos_rule_hash(k.finding_type, f.raised_when, p_ruleset), {{trust}}.gcos_violation_hash(r.key, r.evidence::jsonb),
      r.evidence::jsonb || jsonb_build_object('ruleset', jsonb_build_object('raised', p_ruleset, 'holds', p_ruleset)),
      v_open, p_at, p_at
    from unnest(p_key, p_entity_type, p_entity_code, p_severity, p_evidence, p_count)
      as r(key, entity_type, entity_code, severity, evidence, count)
    cross join lateral (
      select c.finding_type, c.issue_id, c.issue_code from {{schema}}.governance_finding_key c where c.coalesce_key = r.key offset 0
    ) as k
    cross join lateral (
      select t.bucket, t.family, t.raised_when from {{schema}}.governance_finding_type t where t.finding_type = k.finding_type offset 0
    ) as f
    left join lateral (
      select true as there from {{schema}}.system_issues i where i.id = k.issue_id and i.code = k.issue_code offset 0
    ) as o on true
    where (select {{trust}}.gcos_enter_host()) and o.there is null
    order by r.key
    returning id, code, coalesce_key
  ),
  known as (
    update {{schema}}.governance_finding_key k
    set issue_id = made.id, issue_code = made.code
    from made
    where k.coalesce_key = made.coalesce_key
    returning k.coalesce_key
  )
  select coalesce(array_agg(known.coalesce_key), '{}') into raised from known;
  perform {{trust}}.gcos_leave_host();

  if repeated + cardinality(reopened) + cardinality(raised) <> cardinality(p_key) then
    raise exception 'a finding was given twice, or a trigger of the host refused one' using errcode = 'triggered_action_exception';
  end if;

  with wanted as materialized (
    select k.issue_id, k.issue_code, p.issue_id as parent_id
    from unnest(p_key, p_parent) as r(key, parent)
    cross join lateral (
      select c.issue_id, c.issue_code from {{schema}}.governance_finding_key c where c.coalesce_key = r.key offset 0
    ) as k
    cross join lateral (
      select c.issue_id from {{schema}}.governance_finding_key c where c.coalesce_key = r.parent offset 0
    ) as p
    where r.parent <> '' and p.issue_id <> k.issue_id
  )
  update {{schema}}.system_issues i
  set parent_issue_id = w.parent_id
  from wanted w
  where (select {{trust}}.gcos_enter_host()) and i.id = w.issue_id and i.code = w.issue_code
    and i.parent_issue_id is distinct from w.parent_id;
  perform {{trust}}.gcos_leave_host();

  -- The parent of an open finding can change, for example when the risk of an orphan rises.
  update {{schema}}.governance_finding_key k
  set parent_key = r.parent
  from unnest(p_key, p_parent) as r(key, parent)
  where k.coalesce_key = r.key and r.parent <> '' and k.parent_key is distinct from r.parent;

  -- An opening is announced unless its parent is open and represents it, or the last notification is within
  -- the cool-down. A finding that became graver is announced again, whatever the cool-down. A finding that
  -- was not announced when it opened is announced at the first observation after that.
  return query
  with opening as (
    select k.coalesce_key, r.severity, array(select jsonb_array_elements_text(r.routes::jsonb)) as routes,
      nullif(r.parent, '') as parent, i.occurrence_count,
      case when k.coalesce_key = any (raised) then 'raised' when k.coalesce_key = any (reopened) then 'reopened' else 'announced' end
        as change,
      parent.stands is not true
        and (k.coalesce_key = any (graver) or k.notified_at is null or p_at >= k.notified_at
          + make_interval(secs => extract(epoch from coalesce(f.cool_down, (v_cool_downs ->> r.severity)::interval, '24h'))::float8)) as speaks
    from unnest(p_key, p_parent, p_severity, p_routes) as r(key, parent, severity, routes)
    cross join lateral (
      select c.coalesce_key, c.finding_type, c.issue_id, c.issue_code, c.notified_at
      from {{schema}}.governance_finding_key c
      where c.coalesce_key = r.key and (not c.announced or c.coalesce_key = any (raised || reopened || graver))
      offset 0
    ) as k
    cross join lateral (
      select t.cool_down from {{schema}}.governance_finding_type t where t.finding_type = k.finding_type offset 0
    ) as f
    cross join lateral (
      select s.occurrence_count, s.parent_issue_id
      from {{schema}}.system_issues s
      where s.id = k.issue_id and s.code = k.issue_code
      offset 0
    ) as i
    left join lateral (
      select (s.status::text = any (closed)) is not true as stands from {{schema}}.system_issues s where s.id = i.parent_issue_id
      offset 0
    ) as parent on true
  ),
  announced as (
    update {{schema}}.governance_finding_key k
    set announced = o.speaks,
      notified_at = case when o.speaks then p_at else k.notified_at end,
      severity = case when o.change = 'announced' then k.severity else o.severity end,
      routes = case when o.change = 'announced' then k.routes else o.routes end,
      ruleset = case when o.change = 'announced' then k.ruleset else p_ruleset end,
      parent_key = coalesce(o.parent, k.parent_key)
    from opening o
    where k.coalesce_key = o.coalesce_key and (o.change <> 'announced' or o.speaks)
    returning k.coalesce_key, k.issue_code, k.issue_id, k.finding_type, k.subject, k.scope, k.severity, k.routes, o.change,
      o.speaks, o.occurrence_count
  )
  select t.coalesce_key, t.issue_code, t.issue_id, t.finding_type, f.family, f.event_type, t.subject, t.scope, t.severity,
    t.routes, t.change, t.speaks, t.occurrence_count::bigint
  from announced t
  join {{schema}}.governance_finding_type f using (finding_type)
  order by t.coalesce_key;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_store_findings(
  text[], text[], text[], text[], text[], boolean[], text[], text[], text[], text[], text[], bigint[],
  text, timestamptz, text, text[], text[], text[]) from public;

-- The only function with which workers write findings: it checks its input, stores it, and writes audit rows
-- for the changes.
create function {{trust}}.gcos_write_findings(
  p_key text[], p_type text[], p_subject text[], p_scope text[], p_parent text[], p_summary boolean[],
  p_entity_type text[], p_entity_code text[], p_severity text[], p_routes text[], p_evidence text[], p_count bigint[],
  p_run text, p_ruleset text, p_clean_types text[], p_clean_subjects text[], p_clean_keys text[])
returns table (
  coalesce_key text, issue_code text, issue_id bigint, finding_type text, family text, event_type text, subject text,
  scope text, severity text, routes text[], change text, notify boolean, occurrence_count bigint)
language plpgsql
rows 100
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  moment constant timestamptz := {{trust}}.gcos_now();
begin
  if cardinality(p_key) <> all (array[cardinality(p_type), cardinality(p_subject), cardinality(p_scope), cardinality(p_parent),
      cardinality(p_summary), cardinality(p_entity_type), cardinality(p_entity_code), cardinality(p_severity),
      cardinality(p_routes), cardinality(p_evidence), cardinality(p_count)]) then
    raise exception 'all arrays of findings must have the same length' using errcode = 'invalid_parameter_value';
  end if;
  if exists (
    select from unnest(p_severity, p_evidence, p_count) as r(severity, evidence, count)
    where (r.severity in ('critical', 'high', 'medium', 'low') and r.count > 0 and jsonb_typeof(r.evidence::jsonb) = 'object') is not true)
  then
    raise exception 'a finding has one of four severities, a positive count, and an object as its evidence'
      using errcode = 'invalid_parameter_value';
  end if;
  return query
  with written as materialized (
    select w.coalesce_key, w.issue_code, w.issue_id, w.finding_type, w.family, w.event_type, w.subject, w.scope, w.severity,
      w.routes, w.change, w.notify, w.occurrence_count
    from {{trust}}.gcos_store_findings(p_key, p_type, p_subject, p_scope, p_parent, p_summary, p_entity_type, p_entity_code, p_severity,
      p_routes, p_evidence, p_count, p_run, moment, p_ruleset, p_clean_types, p_clean_subjects, p_clean_keys) as w
  ),
  changed as (
    select case t.change when 'raised' then 'raise' when 'reopened' then 'reopen' else 'resolve' end as action,
      jsonb_build_object('ruleset', p_ruleset, 'at', moment, 'count', sum(t.n), 'types', jsonb_object_agg(t.finding_type, t.n)) as detail
    from (
      select w.change, w.finding_type, count(*) as n from written w where w.change <> 'announced' group by w.change, w.finding_type
    ) as t
    group by t.change
  ),
  audited as materialized (
    select {{trust}}.gcos_audit(array_agg('governance_finding'::text), array_agg(p_run), array_agg(c.action), array_agg(c.detail::text),
      null) as rows
    from changed c
    having count(*) > 0
  ),
  -- An entry of the feed per finding, or one per type above two hundred findings.
  entry as (
    select 'finding.' || w.change as kind, 'system_issues:' || w.issue_code as subject, jsonb_build_object('issue_code', w.issue_code,
      'finding_type', w.finding_type, 'severity', w.severity, 'scope', w.scope, 'about', left(w.subject, 200), 'count', w.occurrence_count) as payload
    from written w
    where w.change <> 'announced' and (select count(*) from written) <= 200
    union all
    select 'finding.' || w.change, 'governance_finding_type:' || w.finding_type,
      jsonb_build_object('finding_type', w.finding_type, 'findings', count(*))
    from written w
    where w.change <> 'announced' and (select count(*) from written) > 200
    group by w.change, w.finding_type
  ),
  fed as materialized (
    select {{trust}}.gcos_feed_write(null, array_agg(e.kind order by e.subject), array_agg(e.subject order by e.subject),
      array_agg(e.payload order by e.subject))::text as written
    from entry e
    having count(*) > 0
  )
  select w.coalesce_key, w.issue_code, w.issue_id, w.finding_type, w.family, w.event_type, w.subject, w.scope, w.severity,
    w.routes, w.change, w.notify, w.occurrence_count
  from written w
  where (select count(a.rows) from audited a) + (select count(f.written) from fed f) >= 0;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_write_findings(
  text[], text[], text[], text[], text[], boolean[], text[], text[], text[], text[], text[], bigint[],
  text, text, text[], text[], text[]) from public;
grant execute on function {{trust}}.gcos_write_findings(
  text[], text[], text[], text[], text[], boolean[], text[], text[], text[], text[], text[], bigint[],
  text, text, text[], text[], text[]) to {{worker}};

-- Stamps the open ones of these findings with a new ruleset, because the verdicts of their subjects were
-- carried over to it. Only gcos_carry_findings calls it.
create function {{trust}}.gcos_restamp_findings(p_keys text[], p_from text, p_to text)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_mergejoin = off
as $gcos_function$
declare
  closed constant text[] := {{trust}}.gcos_closed_statuses();
  stamped bigint;
begin
  perform k.coalesce_key
  from {{schema}}.governance_finding_key k
  where k.coalesce_key = any (p_keys)
  order by k.coalesce_key
  for update;
  with held as (
    update {{schema}}.system_issues i
    set business_logic_hash = {{trust}}.gcos_rule_hash(k.finding_type, f.raised_when, p_to),
      evidence_snapshot = coalesce(i.evidence_snapshot::jsonb, '{}') || jsonb_build_object('ruleset',
        coalesce(i.evidence_snapshot::jsonb -> 'ruleset', '{}') || jsonb_build_object('holds', p_to))
    from {{schema}}.governance_finding_key k
    join {{schema}}.governance_finding_type f on f.finding_type = k.finding_type
    where (select {{trust}}.gcos_enter_host()) and k.coalesce_key = any (p_keys) and k.ruleset is not distinct from p_from
      and i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any (closed)) is not true
    returning k.coalesce_key
  )
  update {{schema}}.governance_finding_key k
  set ruleset = p_to
  from held
  where k.coalesce_key = held.coalesce_key;
  get diagnostics stamped = row_count;
  return stamped;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_restamp_findings(text[], text, text) from public;
