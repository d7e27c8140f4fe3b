set local role {{trust_owner}};
-- Activates a version and supersedes the active one of its family, or changes neither. Nothing is written
-- unless the outcome is `ok`. INVARIANT: every activation uses up one approved request of GCOS that names
-- this version and this plan and was made while the same version was active.
create function {{trust}}.gcos_activate_ruleset(
  p_version text, p_plan_hash text, p_approval_ref text, p_expected_active text, p_as text, p_alert_level text)
returns table (outcome text, superseded text, activated_at timestamptz, person_ref text, verified boolean, login text)
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
  current_active text;
  result text;
  moment timestamptz;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_requests(text[])', '{{trust}}.gcos_host_has_approvals()',
    '{{trust}}.gcos_audit(text[], text[], text[], text[], text, text)',
    '{{trust}}.gcos_emit(text[], text[], text[], text[], text[], text[], text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as) a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, null::timestamptz, null::text, null::boolean, actor.login;
    return;
  end if;
  -- One activation at a time. The losing session then sees the new state or, with an older snapshot,
  -- fails to serialize.
  perform pg_advisory_xact_lock(hashtextextended('gcos ruleset', hashtextextended('{{schema}}', 0)));
  moment := {{trust}}.gcos_now();
  select r.family, r.status, r.owner, r.content_hash into target
  from {{trust}}.governance_ruleset r where r.ruleset_version = p_version for update;
  select r.ruleset_version into current_active
  from {{trust}}.governance_ruleset r where r.family = target.family and r.status = 'active' for update;

  if not {{trust}}.gcos_host_has_approvals() then
    result := 'approvals_unavailable';
  else
    select s.status, w.action_code, w.proposed_action, r.status as host_status into request
    from {{trust}}.gcos_request_status(array[p_approval_ref]) s
    join {{trust}}.governance_request w on w.request_code = s.request_code
    join {{trust}}.gcos_host_requests(array[p_approval_ref]) r on r.code = s.request_code;
    result := case
      when target.status is null then 'ruleset_unknown'
      when target.status = 'active' then 'ruleset_active'
      when target.owner is null then 'ruleset_unowned'
      when p_expected_active is distinct from current_active then 'active_changed'
      when request.status is null or request.status <> 'approved' or request.host_status <> 'approved' then 'not_approved'
      when request.action_code <> 'gcos.ruleset.activate'
        or request.proposed_action ->> 'ruleset_version' is distinct from p_version
        or request.proposed_action ->> 'plan_hash' is distinct from p_plan_hash
        or coalesce(p_plan_hash, '') = ''
        or not request.proposed_action ? 'supersedes'
        or request.proposed_action ->> 'supersedes' is distinct from current_active then 'approved_otherwise'
      when exists (select from {{trust}}.governance_ruleset_activation a where a.approval_ref = p_approval_ref) then 'approval_used'
      when not actor.verified and {{trust}}.gcos_rule_setting('approval.accept_unverified') is distinct from 'true'::jsonb
        then 'identity_unverified'
      else 'ok' end;
  end if;
  if result <> 'ok' then
    return query select result, current_active, null::timestamptz, actor.person_ref, actor.verified, actor.login;
    return;
  end if;

  begin
    update {{trust}}.governance_ruleset r set status = 'superseded' where r.ruleset_version = current_active;
    update {{trust}}.governance_ruleset r
    set status = 'active', activated_at = moment, activated_by = actor.person_ref, approval_ref = p_approval_ref,
      plan_hash = p_plan_hash, supersedes = current_active
    where r.ruleset_version = p_version;
    insert into {{trust}}.governance_ruleset_activation (ruleset_version, family, supersedes, plan_hash, approval_ref, person_ref, login, verified, activated_at)
    values (p_version, target.family, current_active, p_plan_hash, p_approval_ref, actor.person_ref, actor.login, actor.verified, moment);
  exception when unique_violation then
    -- Another session won, which this snapshot does not show: the whole transaction must be retried.
    raise exception 'another ruleset was activated at the same moment' using errcode = 'serialization_failure';
  end;
  perform {{trust}}.gcos_audit(array['governance_ruleset'], array[p_version], array['activate'],
    array[jsonb_build_object('supersedes', current_active, 'plan_hash', p_plan_hash, 'approval_ref', p_approval_ref,
      'content_hash', target.content_hash, 'verified', actor.verified)::text], p_alert_level, actor.person_ref);
  if current_active is not null then
    perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text, text)');
    perform {{trust}}.gcos_audit(array['governance_ruleset'], array[current_active], array['supersede'],
      array[jsonb_build_object('by', p_version, 'approval_ref', p_approval_ref)::text], p_alert_level, actor.person_ref);
  end if;
  -- In the same transaction, so that no activation goes unannounced. Again, because the host's code ran.
  perform {{trust}}.gcos_require_intact(
    '{{trust}}.gcos_emit(text[], text[], text[], text[], text[], text[], text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_emit(array['ruleset.activated', 'handoff.ruleset_changed'], array['governance_ruleset', 'governance_ruleset'],
    array[p_version, p_version], array['governance_ruleset:' || p_version, 'governance_ruleset:' || p_version], array['', ''],
    array[
      jsonb_build_object('ruleset_version', p_version, 'approval_ref', p_approval_ref, 'owner', target.owner)::text,
      jsonb_build_object('change_kind', 'ruleset_changed', 'source', 'governance_ruleset',
        'refs', to_jsonb(array_remove(array[p_version, current_active], null)))::text],
    array[moment::text, moment::text], array['', ''], array['activation:' || p_approval_ref, 'activation:' || p_approval_ref],
    '{}'::text[], p_alert_level);
  return query select 'ok'::text, current_active, moment, actor.person_ref, actor.verified, actor.login;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_activate_ruleset(text, text, text, text, text, text) from public;
grant execute on function {{trust}}.gcos_activate_ruleset(text, text, text, text, text, text) to {{worker}}, {{api}};
set local role {{owner}};
