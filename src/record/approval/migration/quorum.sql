set local role {{trust_owner}};
-- The risk of an action: the stricter of the host's row and the rules in force. An unknown word, and a
-- missing row or rule, mean high, so that an unclassified action needs the full quorum.
create function {{trust}}.gcos_action_risk(p_action text)
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  words constant text[] := array['low', 'medium', 'high'];
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_action_risk(text)');
  return words[greatest(
    coalesce(array_position(words, {{trust}}.gcos_host_action_risk(p_action)), 3),
    coalesce(array_position(words, {{trust}}.gcos_rule_setting('approval.actions') ->> p_action), 3))];
end
$gcos_function$;

-- Whether the login that opened a request may not decide on it, even on behalf of another person. If the
-- setting is missing, the stricter rule (true) applies.
create function {{trust}}.gcos_takes_two_logins(p_action text)
returns boolean
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return coalesce({{trust}}.gcos_rule_setting('approval.two_logins') ? p_action, true);
end
$gcos_function$;

-- All decisions on these requests: the host's rows joined with GCOS's own, and why a decision does not count.
-- INVARIANT: an approval counts only if both sides agree; a rejection that GCOS witnessed always blocks.
create function {{trust}}.gcos_request_decisions(p_codes text[])
returns table (
  request_code text, person_ref text, approver_type text, decision text, login text, verified boolean, identity_level text, reason text,
  decided_at timestamptz, witnessed boolean, counts boolean, remark text, by_proposer boolean)
language plpgsql stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  accepts_unverified boolean := coalesce({{trust}}.gcos_rule_setting('approval.accept_unverified') = 'true'::jsonb, false);
  two_logins jsonb := {{trust}}.gcos_rule_setting('approval.two_logins');
  policy_in_force jsonb := {{trust}}.gcos_rule_setting('approval.policy');
  accepts_self boolean := {{trust}}.gcos_accepts_self(policy_in_force);
  risks jsonb;
begin
  -- Before the check: the host's code may run.
  select jsonb_object_agg(w.action_code, {{trust}}.gcos_action_risk(w.action_code)) into risks
  from (select distinct r.action_code from {{trust}}.governance_request r where r.request_code = any (p_codes)) w;
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_approvals(text[])');
  return query
  with host as (
    select h.code, h.id, h.approver, h.approver_type, h.decision, h.decided_at
    from {{trust}}.gcos_host_approvals(p_codes) h
  ),
  own as (
    select d.request_code, d.person_ref, d.approver_type, d.decision, d.login, d.verified, d.identity_level, d.reason, d.decided_at, d.approval_id,
      {{trust}}.gcos_counts_level(d.identity_level, w.policy, policy_in_force, {{trust}}.gcos_request_risk(w.risk, risks ->> w.action_code)) as counts_level,
      d.person_ref in (w.proposer, w.login_person) as by_proposer,
      d.login = w.login and coalesce(two_logins ? w.action_code, true) as by_login,
      -- What the request is about was looked at when the decision was made, and is part of its terms.
      accepts_self and d.identity_level = 'login' and w.identity_level = 'login' and d.person_ref = w.proposer and {{trust}}.gcos_accepts_self(w.policy) as is_self_approval
    from {{trust}}.governance_decision d
    join {{trust}}.governance_request w on w.request_code = d.request_code
    where d.request_code = any (p_codes)
  )
  select coalesce(own.request_code, host.code), coalesce(own.person_ref, host.approver),
    coalesce(own.approver_type, host.approver_type), coalesce(own.decision, host.decision), own.login, own.verified, own.identity_level, own.reason,
    coalesce(own.decided_at, host.decided_at), own.request_code is not null, note.remark is null, note.remark,
    coalesce(own.by_proposer, false)
  from own
  full join host on host.code = own.request_code and host.id = own.approval_id
  cross join lateral (
    select case
      when own.request_code is null then 'not_witnessed'
      when own.decision <> 'approve' then null
      when host.id is null or (host.approver, host.approver_type, host.decision)
        is distinct from (own.person_ref, own.approver_type, own.decision) then 'host_differs'
      when not own.verified and not accepts_unverified then 'unverified'
      when not own.counts_level then 'identity_level'
      when own.by_login or (own.by_proposer and not own.is_self_approval) then 'proposer'
    end as remark
  ) as note;
end
$gcos_function$;

-- The status of each request, computed from the witnessed decisions; it ignores the host's status column.
-- Requests for actions that are not GCOS's own have no row. `missing`: the kinds of approver that the quorum
-- still needs, as [{"kind", "title", "needed", "missing"}].
create function {{trust}}.gcos_request_status(p_codes text[])
returns table (
  request_code text, risk text, approvals integer, rejections integer, missing jsonb, self_approved boolean, status text)
language plpgsql stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  host jsonb;
  policy_in_force jsonb := {{trust}}.gcos_rule_setting('approval.policy');
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_requests(text[])');
  -- A statement of its own: no other function of that owner runs between the check and the call.
  select jsonb_agg(to_jsonb(h)) into host from {{trust}}.gcos_host_requests(p_codes) h where h.action_code like 'gcos.%';
  return query
  with kind as (
    select d.request_code, d.approver_type, count(*) filter (where d.decision = 'approve') as approvals,
      count(*) filter (where d.decision = 'reject') as rejections, count(*) filter (where d.decision = 'withdraw') as withdrawals,
      coalesce(bool_or(d.by_proposer) filter (where d.decision = 'approve'), false) as self_approved
    from {{trust}}.gcos_request_decisions(p_codes) d
    where d.counts
    group by d.request_code, d.approver_type
  ),
  votes as (
    select k.request_code, jsonb_object_agg(k.approver_type, k.approvals) || jsonb_build_object('any', sum(k.approvals)) as approvals,
      sum(k.rejections) as rejections, sum(k.withdrawals) as withdrawals, bool_or(k.self_approved) as self_approved
    from kind k
    group by k.request_code
  ),
  request as (
    select r.code, w.request_code is not null as witnessed, w.policy,
      (w.request_id, w.action_code, w.proposer, w.proposed_action)
        is distinct from (r.id, r.action_code, r.proposer, r.proposed_action) as altered,
      -- The higher of the risk at opening and the current risk: lowering the risk of an action does not lower
      -- the quorum of an open request.
      {{trust}}.gcos_request_risk(w.risk, {{trust}}.gcos_action_risk(r.action_code)) as risk
    from jsonb_to_recordset(host) as r(id bigint, code text, action_code text, proposer text, proposed_action jsonb)
    left join {{trust}}.governance_request w on w.request_code = r.code
  ),
  counted as (
    select request.code, request.witnessed, request.altered, request.risk, coalesce((v.approvals ->> 'any')::integer, 0) as approvals,
      coalesce(v.rejections, 0)::integer as rejections, coalesce(v.withdrawals, 0) as withdrawals,
      coalesce(v.self_approved, false) as self_approved, n.missing
    from request
    left join votes v on v.request_code = request.code
    cross join lateral (
      select jsonb_agg(jsonb_build_object('kind', q.kind, 'title', coalesce(k.title, q.kind), 'needed', q.needed, 'missing', q.needed - has.votes)
        order by q.needed, q.kind collate "C") filter (where has.votes < q.needed) as missing
      from {{trust}}.gcos_request_quorum(request.policy, policy_in_force, request.risk) q
      cross join lateral (select coalesce((v.approvals ->> q.kind)::integer, 0) as votes) has
      left join {{trust}}.governance_approver_kind k on k.approver_kind = q.kind
    ) n
  )
  select c.code, c.risk, c.approvals, c.rejections, coalesce(c.missing, '[]'), c.self_approved,
    case
      when not c.witnessed then 'foreign'
      when c.rejections > 0 then 'rejected'
      when c.withdrawals > 0 then 'withdrawn'
      when c.altered then 'altered'
      when c.missing is null then 'approved'
      else 'pending'
    end
  from counted c;
end
$gcos_function$;

-- When each of these requests was approved: the time of the last approval that the quorum needed. Later
-- approvals do not change it. Requests that are not approved have no row.
create function {{trust}}.gcos_request_approved_at(p_codes text[])
returns table (request_code text, approved_at timestamptz)
language plpgsql stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  policy_in_force jsonb := {{trust}}.gcos_rule_setting('approval.policy');
begin
  return query
  with vote as materialized (
    select d.request_code, d.approver_type, d.decided_at
    from {{trust}}.gcos_request_decisions(p_codes) d
    where d.counts and d.decision = 'approve'
  )
  select s.request_code, max(v.completed_at)
  from {{trust}}.gcos_request_status(p_codes) s
  join {{trust}}.governance_request w on w.request_code = s.request_code
  cross join lateral {{trust}}.gcos_request_quorum(w.policy, policy_in_force, s.risk) q
  cross join lateral (
    select (array_agg(vote.decided_at order by vote.decided_at))[q.needed] as completed_at
    from vote
    where vote.request_code = s.request_code and q.kind in ('any', vote.approver_type)
  ) v
  where s.status = 'approved'
  group by s.request_code;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_action_risk(text), {{trust}}.gcos_takes_two_logins(text), {{trust}}.gcos_request_decisions(text[]), {{trust}}.gcos_request_status(text[]),
  {{trust}}.gcos_request_approved_at(text[]) from public;
grant execute on function {{trust}}.gcos_action_risk(text), {{trust}}.gcos_takes_two_logins(text), {{trust}}.gcos_request_decisions(text[]), {{trust}}.gcos_request_status(text[]),
  {{trust}}.gcos_request_approved_at(text[])
  to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
