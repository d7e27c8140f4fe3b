-- Whether the finding that two readings of the inventory differed is still open: then no ruleset may be
-- activated.
create function {{trust}}.gcos_activation_frozen()
returns boolean
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_owner();
  return exists (
    select
    from {{schema}}.governance_finding_key k
    join {{schema}}.system_issues i on i.id = k.issue_id and i.code = k.issue_code
    where k.finding_type = 'snapshot_nondeterministic' and (i.status::text = any ({{trust}}.gcos_closed_statuses())) is not true);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_activation_frozen() from public;
grant execute on function {{trust}}.gcos_activation_frozen() to {{trust_owner}};

set local role {{trust_owner}};
-- How many rows one page of an activation has, and how long one call begins further pages. A page takes 0.4
-- to 1 s on two cores; the time, not the number of pages, bounds a call on a machine under load.
create function {{trust}}.gcos_carry_pace()
returns table (page_rows integer, lasting interval)
language plpgsql immutable
rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return query select 5000, interval '1 second';
end
$gcos_function$;
revoke all on function {{trust}}.gcos_carry_pace() from public;

-- Carries verdicts for the activation that this transaction has begun: pages of groups, then of objects, then
-- of findings. `finished`: everything is carried. Until then the transaction cannot commit. The numbers are
-- those since the activation began. Takes nothing from the caller.
create function {{trust}}.gcos_continue_activation()
returns table (
  finished boolean, groups_carried bigint, groups_dirtied bigint, objects_carried bigint, objects_dirtied bigint, findings_stamped bigint)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  begun {{trust}}.governance_unfinished_activation;
  pace record;
  page record;
  done boolean := false;
  began timestamptz := clock_timestamp();
begin
  select * into begun from {{trust}}.governance_unfinished_activation;
  if not found then
    raise exception 'this transaction has begun no activation' using errcode = 'object_not_in_prerequisite_state';
  end if;
  select p.page_rows, p.lasting into pace from {{trust}}.gcos_carry_pace() p;
  loop
    -- For each page again, because the host's code runs where findings are stamped.
    if begun.stage = 'groups' then
      perform {{trust}}.gcos_require_intact('{{trust}}.gcos_carry_groups(text, text, timestamptz, text[], text[], text, text, integer)');
      select c.rows_read, c.dirtied, c.last_key, c.last_scope into page
      from {{trust}}.gcos_carry_groups(begun.supersedes, begun.ruleset_version, begun.activated_at, begun.reached_keys,
        begun.reached_scopes, begun.after_key, begun.after_scope, pace.page_rows) c;
      begun.groups_carried := begun.groups_carried + page.rows_read - page.dirtied;
      begun.groups_dirtied := begun.groups_dirtied + page.dirtied;
    elsif begun.stage = 'objects' then
      perform {{trust}}.gcos_require_intact('{{trust}}.gcos_carry_objects(text, text, timestamptz, text[], text[], text, text, integer)');
      select c.rows_read, c.dirtied, c.last_key, c.last_scope into page
      from {{trust}}.gcos_carry_objects(begun.supersedes, begun.ruleset_version, begun.activated_at, begun.reached_keys,
        begun.reached_scopes, begun.after_key, begun.after_scope, pace.page_rows) c;
      begun.objects_carried := begun.objects_carried + page.rows_read - page.dirtied;
      begun.objects_dirtied := begun.objects_dirtied + page.dirtied;
    else
      perform {{trust}}.gcos_require_intact('{{trust}}.gcos_carry_findings(text, text, text[], text[], text, integer)');
      select c.rows_read, c.stamped, c.last_key, '' as last_scope into page
      from {{trust}}.gcos_carry_findings(begun.supersedes, begun.ruleset_version, begun.reached_keys, begun.reached_scopes,
        begun.after_key, pace.page_rows) c;
      begun.findings_stamped := begun.findings_stamped + page.stamped;
    end if;
    if page.rows_read = pace.page_rows then
      begun.after_key := page.last_key;
      begun.after_scope := page.last_scope;
    else
      done := begun.stage = 'findings';
      begun.stage := case begun.stage when 'groups' then 'objects' else 'findings' end;
      begun.after_key := '';
      begun.after_scope := '';
    end if;
    exit when done or clock_timestamp() - began >= pace.lasting;
  end loop;
  if done then
    delete from {{trust}}.governance_unfinished_activation u where u.ruleset_version = begun.ruleset_version;
  else
    update {{trust}}.governance_unfinished_activation u
    set stage = begun.stage, after_key = begun.after_key, after_scope = begun.after_scope, groups_carried = begun.groups_carried,
      groups_dirtied = begun.groups_dirtied, objects_carried = begun.objects_carried, objects_dirtied = begun.objects_dirtied,
      findings_stamped = begun.findings_stamped
    where u.ruleset_version = begun.ruleset_version;
  end if;
  return query select done, begun.groups_carried, begun.groups_dirtied, begun.objects_carried, begun.objects_dirtied, begun.findings_stamped;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_continue_activation() from public;
grant execute on function {{trust}}.gcos_continue_activation() to {{api}}, {{server}};

-- Activates a version and supersedes the active one of its family, or changes neither. Nothing is written
-- unless the outcome is `ok`. INVARIANT: every activation uses up one approved request of GCOS that names
-- this version and a plan and was made while the same version was active; the stored bytes have their hash
-- and are what the tables say now; the verdicts that the change reaches become dirty in the same transaction.
-- The caller names the version and the approval; everything else is derived here. One call carries pages of
-- verdicts for a second. Unless it returns `finished`, gcos_continue_activation() carries the rest in this
-- transaction.
create function {{trust}}.gcos_activate_ruleset(p_version text, p_approval_ref text, p_as text)
returns table (
  outcome text, detail text, superseded text, activated_at timestamptz, person_ref text, verified boolean, login text,
  groups_carried bigint, groups_dirtied bigint, objects_carried bigint, objects_dirtied bigint, findings_stamped bigint, finished boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  target record;
  request record;
  carried record;
  current_active text;
  components text[];
  result text;
  differing text;
  plan text;
  moment timestamptz;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_requests(text[])', '{{trust}}.gcos_host_has_approvals()',
    '{{trust}}.gcos_activation_frozen()', '{{trust}}.gcos_rule_components()',
    '{{trust}}.gcos_reach_to_carry(text, text)', '{{trust}}.gcos_audit(text[], text[], text[], text[], text)',
    '{{trust}}.gcos_emit(text[], text[], text[], text[], text[], text[], text[], text[], text[])');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, null::text, null::timestamptz, null::text, null::boolean, actor.login,
      null::bigint, null::bigint, null::bigint, null::bigint, null::bigint, null::boolean;
    return;
  end if;
  -- One activation at a time. The losing session then sees the new state or, with an older snapshot,
  -- fails to serialize.
  perform {{trust}}.gcos_take_lock('ruleset');
  if exists (select from {{trust}}.governance_unfinished_activation) then
    raise exception 'this transaction has begun an activation that is not finished' using errcode = 'object_not_in_prerequisite_state';
  end if;
  moment := {{trust}}.gcos_now();
  -- Not `for update`: each row that a worker inserts meanwhile would wait, because it refers to a ruleset.
  select r.family, r.status, r.owner, r.content_hash, r.canonical_bytes into target
  from {{trust}}.governance_ruleset r where r.ruleset_version = p_version for no key update;
  select r.ruleset_version into current_active
  from {{trust}}.governance_ruleset r where r.family = target.family and r.status = 'active' for no key update;

  if not {{trust}}.gcos_host_has_approvals() then
    result := 'approvals_unavailable';
  else
    select s.status, s.self_approved, w.action_code, w.proposed_action, r.status as host_status into request
    from {{trust}}.gcos_request_status(array[p_approval_ref]) s
    join {{trust}}.governance_request w on w.request_code = s.request_code
    join {{trust}}.gcos_host_requests(array[p_approval_ref]) r on r.code = s.request_code;
    -- The plan that the approvers saw. The database does not make it again.
    plan := case when jsonb_typeof(request.proposed_action -> 'plan_hash') = 'string' then request.proposed_action ->> 'plan_hash' end;
    result := case
      when target.status is null then 'ruleset_unknown'
      when target.status = 'active' then 'ruleset_active'
      when target.owner is null then 'ruleset_unowned'
      when request.status is null or request.status <> 'approved' or request.host_status <> 'approved' then 'not_approved'
      when request.action_code <> 'gcos.ruleset.activate'
        or request.proposed_action ->> 'ruleset_version' is distinct from p_version
        or coalesce(plan, '') = ''
        or coalesce(jsonb_typeof(request.proposed_action -> 'supersedes'), '') not in ('null', 'string') then 'approved_otherwise'
      when exists (select from {{trust}}.governance_ruleset_activation a where a.approval_ref = p_approval_ref) then 'approval_used'
      when request.proposed_action ->> 'supersedes' is distinct from current_active then 'active_changed'
      when not actor.verified and {{trust}}.gcos_rule_setting('approval.accept_unverified') is distinct from 'true'::jsonb
        then 'identity_unverified'
      when {{trust}}.gcos_activation_frozen() then 'activation_frozen'
      when target.content_hash <> encode(sha256(E'\\x67636f732d72756c6573657400'::bytea || target.canonical_bytes), 'hex') then 'ruleset_corrupt'
      else 'ok' end;
  end if;
  if result = 'ok' then
    components := {{trust}}.gcos_rule_components();
    if convert_to({{trust}}.gcos_ruleset_text(components), 'UTF8') <> target.canonical_bytes then
      result := 'rules_changed';
      select string_agg(c.text::jsonb ->> 'component', ', ' order by c.place) into differing
      from unnest(components) with ordinality as c(text, place)
      where c.text::jsonb is distinct from convert_from(target.canonical_bytes, 'UTF8')::jsonb -> 'components' -> (c.place::integer - 1);
    end if;
  end if;
  if result <> 'ok' then
    return query select result, differing, current_active, null::timestamptz, actor.person_ref, actor.verified, actor.login,
      null::bigint, null::bigint, null::bigint, null::bigint, null::bigint, null::boolean;
    return;
  end if;

  begin
    update {{trust}}.governance_ruleset r set status = 'superseded' where r.ruleset_version = current_active;
    update {{trust}}.governance_ruleset r
    set status = 'active', activated_at = moment, activated_by = actor.person_ref, approval_ref = p_approval_ref,
      plan_hash = plan, supersedes = current_active
    where r.ruleset_version = p_version;
    insert into {{trust}}.governance_ruleset_activation (ruleset_version, family, supersedes, plan_hash, approval_ref, person_ref, login, verified, self_approved, activated_at)
    values (p_version, target.family, current_active, plan, p_approval_ref, actor.person_ref, actor.login, actor.verified, request.self_approved,
      moment);
  exception when unique_violation then
    -- Another session won, which this snapshot does not show: the whole transaction must be retried.
    raise exception 'another ruleset was activated at the same moment' using errcode = 'serialization_failure';
  end;
  -- The first ruleset has no predecessor to carry verdicts from.
  if current_active is null then
    select true as finished, null::bigint as groups_carried, null::bigint as groups_dirtied, null::bigint as objects_carried,
      null::bigint as objects_dirtied, null::bigint as findings_stamped into carried;
  else
    insert into {{trust}}.governance_unfinished_activation (ruleset_version, supersedes, activated_at, reached_keys, reached_scopes)
    select p_version, current_active, moment, r.inventory_keys, r.scopes
    from {{trust}}.gcos_reach_to_carry(current_active, p_version) r;
    select c.finished, c.groups_carried, c.groups_dirtied, c.objects_carried, c.objects_dirtied, c.findings_stamped into carried
    from {{trust}}.gcos_continue_activation() c;
  end if;
  -- Again, here and below, because the host's code ran.
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_audit(array['governance_ruleset'], array[p_version], array['activate'],
    array[jsonb_build_object('supersedes', current_active, 'plan_hash', plan, 'approval_ref', p_approval_ref,
      'content_hash', target.content_hash, 'verified', actor.verified, 'self_approved', request.self_approved)::text], actor.person_ref);
  if current_active is not null then
    perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
    perform {{trust}}.gcos_audit(array['governance_ruleset'], array[current_active], array['supersede'],
      array[jsonb_build_object('by', p_version, 'approval_ref', p_approval_ref)::text], actor.person_ref);
  end if;
  -- In the same transaction, so that no activation goes unannounced.
  perform {{trust}}.gcos_require_intact(
    '{{trust}}.gcos_emit(text[], text[], text[], text[], text[], text[], text[], text[], text[])');
  perform {{trust}}.gcos_emit(array['ruleset.activated', 'handoff.ruleset_changed'], array['governance_ruleset', 'governance_ruleset'],
    array[p_version, p_version], array['governance_ruleset:' || p_version, 'governance_ruleset:' || p_version], array['', ''],
    array[
      jsonb_build_object('ruleset_version', p_version, 'approval_ref', p_approval_ref, 'owner', target.owner)::text,
      jsonb_build_object('change_kind', 'ruleset_changed', 'source', 'governance_ruleset',
        'refs', to_jsonb(array_remove(array[p_version, current_active], null)))::text],
    array[moment::text, moment::text], array['', ''], array['activation:' || p_approval_ref, 'activation:' || p_approval_ref]);
  return query select 'ok'::text, null::text, current_active, moment, actor.person_ref, actor.verified, actor.login,
    carried.groups_carried, carried.groups_dirtied, carried.objects_carried, carried.objects_dirtied, carried.findings_stamped,
    carried.finished;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_activate_ruleset(text, text, text) from public;
grant execute on function {{trust}}.gcos_activate_ruleset(text, text, text) to {{api}}, {{server}};
set local role {{owner}};
