set local role {{trust_owner}};
-- Locks one request and returns whether it can still be decided. Only the two functions below call it.
create function {{trust}}.gcos_lock_request(p_code text)
returns table (
  outcome text, request_id bigint, proposer text, opener text, opener_login text, action_code text, risk text, policy jsonb)
language plpgsql
rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  found_request record;
  witness record;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_lock_request(text)');
  -- INVARIANT: after waiting for the lock, decisions of other sessions must be visible; an older snapshot
  -- would miss them.
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception 'a request must be decided in a read committed transaction' using errcode = 'invalid_transaction_state';
  end if;
  select h.id, h.status, h.action_code, h.proposer, h.proposed_action into found_request from {{trust}}.gcos_host_lock_request(p_code) h;
  if not found then
    return query select 'request_unknown'::text, null::bigint, null::text, null::text, null::text, null::text, null::text, null::jsonb;
    return;
  end if;
  select w.request_id, w.action_code, w.proposer, w.proposed_action, w.login, w.login_person, w.risk, w.policy into witness
  from {{trust}}.governance_request w where w.request_code = p_code;
  return query select
    case
      when witness.proposer is null then 'request_foreign'
      when (witness.request_id, witness.action_code, witness.proposer, witness.proposed_action)
        is distinct from (found_request.id, found_request.action_code, found_request.proposer, found_request.proposed_action)
        then 'request_altered'
      when found_request.status <> 'pending' or exists (
        select from {{trust}}.governance_decision d where d.request_code = p_code and d.decision in ('reject', 'withdraw')) then 'request_closed'
      else 'ok'
    end,
    found_request.id, witness.proposer, witness.login_person, witness.login, witness.action_code,
    witness.risk, witness.policy;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_lock_request(text) from public;

-- Records one decision of one person. Writes nothing unless the outcome is `ok`.
create function {{trust}}.gcos_decide(p_code text, p_decision text, p_reason text, p_as text)
returns table (outcome text, status text, person_ref text, approver_type text, login text, verified boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  request record;
  host_row bigint;
  result text := 'ok';
  now_stands text;
  moment timestamptz;
begin
  perform {{trust}}.gcos_commit_durably();
  if (p_decision in ('approve', 'reject')) is not true then
    raise exception 'not a decision: %', coalesce(p_decision, 'null') using errcode = 'invalid_parameter_value';
  end if;
  select a.outcome, a.person_ref, a.approver_type, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome = 'ok' then
    select l.outcome, l.request_id, l.proposer, l.opener, l.opener_login, l.action_code, l.risk, l.policy into request from {{trust}}.gcos_lock_request(p_code) l;
    -- Read the clock after waiting for the lock, so that decision times follow the order of the decisions.
    moment := {{trust}}.gcos_now();
    result := case
      when request.outcome <> 'ok' then request.outcome
      -- One login counts as one person, also if it acts for other persons.
      when request.opener_login = actor.login and {{trust}}.gcos_takes_two_logins(request.action_code) then 'decision_by_login'
      when not actor.verified and {{trust}}.gcos_rule_setting('approval.accept_unverified') is distinct from 'true'::jsonb
        then 'identity_unverified'
      -- A person decides once: an approval that would never count is not taken.
      when p_decision = 'approve' and actor.verified and not {{trust}}.gcos_counts_level(
          case when actor.login like 'token:%' then 'token' else 'login' end, request.policy, {{trust}}.gcos_rule_setting('approval.policy'),
          {{trust}}.gcos_request_risk(request.risk, {{trust}}.gcos_action_risk(request.action_code))) then 'identity_level'
      -- A person who opened the request for another person also counts as a proposer.
      when actor.person_ref in (request.proposer, request.opener)
        and (p_decision = 'approve' and actor.verified and actor.login not like 'token:%' and actor.person_ref = request.proposer and {{trust}}.gcos_self_approvable(p_code)) is not true
        then case when {{trust}}.gcos_accepts_self({{trust}}.gcos_rule_setting('approval.policy')) then 'self_approval_refused' else 'decision_by_proposer' end
      when exists (select from {{trust}}.governance_decision d
        where d.request_code = p_code and d.person_ref = actor.person_ref and d.decision in ('approve', 'reject')) then 'decision_repeated'
      when p_decision = 'reject' and coalesce(btrim(p_reason), '') = '' then 'reason_missing'
      else 'ok' end;
  else
    result := actor.outcome;
  end if;

  if result = 'ok' then
    -- Right before the call, because code of the host may run in every call: a view may stand in for its
    -- table.
    perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_decide(bigint, text, text, text, timestamptz)');
    host_row := {{trust}}.gcos_host_decide(request.request_id, actor.person_ref, actor.approver_type, p_decision, moment);
    if host_row is null then
      result := 'decision_conflict';
    end if;
  end if;
  if result <> 'ok' then
    return query select result, null::text, actor.person_ref, actor.approver_type, actor.login, actor.verified;
    return;
  end if;

  insert into {{trust}}.governance_decision (request_code, person_ref, approver_type, decision, login, verified, reason, decided_at, approval_id)
  values (p_code, actor.person_ref, actor.approver_type, p_decision, actor.login, actor.verified, nullif(btrim(p_reason), ''), moment, host_row);
  select s.status into now_stands from {{trust}}.gcos_request_status(array[p_code]) s;
  if now_stands in ('approved', 'rejected') then
    perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_end_request(bigint, text, timestamptz)');
    perform {{trust}}.gcos_host_end_request(request.request_id, now_stands, moment);
  end if;
  return query select 'ok'::text, now_stands, actor.person_ref, actor.approver_type, actor.login, actor.verified;
end
$gcos_function$;

-- Withdraws a request on behalf of its proposer.
create function {{trust}}.gcos_withdraw_request(p_code text, p_reason text, p_as text)
returns table (outcome text, status text, person_ref text, approver_type text, login text, verified boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  request record;
  result text;
  moment timestamptz;
begin
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.approver_type, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome = 'ok' then
    select l.outcome, l.request_id, l.proposer, l.opener_login into request from {{trust}}.gcos_lock_request(p_code) l;
    -- Read the clock after waiting for the lock, so that decision times follow the order of the decisions.
    moment := {{trust}}.gcos_now();
    result := case
      when request.outcome <> 'ok' then request.outcome
      when actor.person_ref <> request.proposer then 'withdraw_by_other'
      when not actor.verified and actor.login <> request.opener_login and {{trust}}.gcos_rule_setting('approval.accept_unverified') is distinct from 'true'::jsonb
        then 'identity_unverified'
      else 'ok' end;
  else
    result := actor.outcome;
  end if;
  if result = 'ok' then
    insert into {{trust}}.governance_decision (request_code, person_ref, approver_type, decision, login, verified, reason, decided_at)
    values (p_code, actor.person_ref, actor.approver_type, 'withdraw', actor.login, actor.verified, nullif(btrim(p_reason), ''), moment);
    perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_end_request(bigint, text, timestamptz)');
    perform {{trust}}.gcos_host_end_request(request.request_id, 'withdrawn', moment);
  end if;
  return query select result, case when result = 'ok' then 'withdrawn' end, actor.person_ref, actor.approver_type, actor.login, actor.verified;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_decide(text, text, text, text), {{trust}}.gcos_withdraw_request(text, text, text) from public;
grant execute on function {{trust}}.gcos_decide(text, text, text, text), {{trust}}.gcos_withdraw_request(text, text, text) to {{api}}, {{server}};
set local role {{owner}};
