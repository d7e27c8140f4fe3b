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
  request_code text, person_ref text, approver_type text, decision text, login text, verified boolean, reason text,
  decided_at timestamptz, witnessed boolean, counts boolean, remark text)
language plpgsql stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  accepts_unverified boolean := coalesce({{trust}}.gcos_rule_setting('approval.accept_unverified') = 'true'::jsonb, false);
  two_logins jsonb := {{trust}}.gcos_rule_setting('approval.two_logins');
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_approvals(text[])');
  return query
  with host as (
    select h.code, h.id, h.approver, h.approver_type, h.decision, h.decided_at
    from {{trust}}.gcos_host_approvals(p_codes) h
  ),
  own as (
    select d.request_code, d.person_ref, d.approver_type, d.decision, d.login, d.verified, d.reason, d.decided_at, d.approval_id,
      d.person_ref in (w.proposer, w.login_person) or (d.login = w.login and coalesce(two_logins ? w.action_code, true)) as proposed_it
    from {{trust}}.governance_decision d
    join {{trust}}.governance_request w on w.request_code = d.request_code
    where d.request_code = any (p_codes)
  )
  select coalesce(own.request_code, host.code), coalesce(own.person_ref, host.approver),
    coalesce(own.approver_type, host.approver_type), coalesce(own.decision, host.decision), own.login, own.verified, own.reason,
    coalesce(own.decided_at, host.decided_at), own.request_code is not null, note.remark is null, note.remark
  from own
  full join host on host.code = own.request_code and host.id = own.approval_id
  cross join lateral (
    select case
      when own.request_code is null then 'not_witnessed'
      when own.decision <> 'approve' then null
      when host.id is null or (host.approver, host.approver_type, host.decision)
        is distinct from (own.person_ref, own.approver_type, own.decision) then 'host_differs'
      when not own.verified and not accepts_unverified then 'unverified'
      when own.proposed_it then 'proposer'
    end as remark
  ) as note;
end
$gcos_function$;

-- The status of each request, computed from the witnessed decisions; it ignores the host's status column.
-- Requests for actions that are not GCOS's own have no row.
create function {{trust}}.gcos_request_status(p_codes text[])
returns table (
  request_code text, risk text, approvals integer, rejections integer, missing_presidents integer, missing_council integer,
  missing_any integer, status text)
language plpgsql stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  host jsonb;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_host_requests(text[])');
  -- A statement of its own: no other function of that owner runs between the check and the call.
  select jsonb_agg(to_jsonb(h)) into host from {{trust}}.gcos_host_requests(p_codes) h where h.action_code like 'gcos.%';
  return query
  with votes as (
    select d.request_code,
      count(*) filter (where d.decision = 'approve') as approvals,
      count(*) filter (where d.decision = 'approve' and d.approver_type = 'president') as presidents,
      count(*) filter (where d.decision = 'approve' and d.approver_type = 'council') as council,
      count(*) filter (where d.decision = 'reject') as rejections,
      count(*) filter (where d.decision = 'withdraw') as withdrawals
    from {{trust}}.gcos_request_decisions(p_codes) d
    where d.counts
    group by d.request_code
  ),
  request as (
    select r.code, w.request_code is not null as witnessed,
      (w.request_id, w.action_code, w.proposer, w.proposed_action)
        is distinct from (r.id, r.action_code, r.proposer, r.proposed_action) as altered,
      -- The higher of the risk at opening and the current risk: lowering the risk of an action does not lower
      -- the quorum of an open request.
      (array['low', 'medium', 'high'])[greatest(
        array_position(array['low', 'medium', 'high'], w.risk),
        array_position(array['low', 'medium', 'high'], {{trust}}.gcos_action_risk(r.action_code)))] as risk
    from jsonb_to_recordset(host) as r(id bigint, code text, action_code text, proposer text, proposed_action jsonb)
    left join {{trust}}.governance_request w on w.request_code = r.code
  ),
  need as (
    select request.code, request.witnessed, request.altered, request.risk,
      coalesce(votes.approvals, 0)::integer as approvals, coalesce(votes.rejections, 0)::integer as rejections,
      coalesce(votes.withdrawals, 0)::integer as withdrawals,
      case when request.risk in ('medium', 'high') then greatest(0, 1 - coalesce(votes.presidents, 0))::integer else 0 end as presidents,
      case when request.risk = 'high' then greatest(0, 2 - coalesce(votes.council, 0))::integer else 0 end as council,
      case when request.risk = 'low' then greatest(0, 1 - coalesce(votes.approvals, 0))::integer else 0 end as anybody
    from request
    left join votes on votes.request_code = request.code
  )
  select need.code, need.risk, need.approvals, need.rejections, need.presidents, need.council, need.anybody,
    case
      when not need.witnessed then 'foreign'
      when need.rejections > 0 then 'rejected'
      when need.withdrawals > 0 then 'withdrawn'
      when need.altered then 'altered'
      when need.presidents + need.council + need.anybody = 0 then 'approved'
      else 'pending'
    end
  from need;
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
begin
  return query
  select s.request_code,
    case s.risk
      when 'low' then min(d.decided_at)
      when 'medium' then min(d.decided_at) filter (where d.approver_type = 'president')
      else greatest(min(d.decided_at) filter (where d.approver_type = 'president'),
        (array_agg(d.decided_at order by d.decided_at) filter (where d.approver_type = 'council'))[2])
    end
  from {{trust}}.gcos_request_status(p_codes) s
  join {{trust}}.gcos_request_decisions(p_codes) d on d.request_code = s.request_code and d.counts and d.decision = 'approve'
  where s.status = 'approved'
  group by s.request_code, s.risk;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_action_risk(text), {{trust}}.gcos_takes_two_logins(text), {{trust}}.gcos_request_decisions(text[]), {{trust}}.gcos_request_status(text[]),
  {{trust}}.gcos_request_approved_at(text[]) from public;
grant execute on function {{trust}}.gcos_action_risk(text), {{trust}}.gcos_takes_two_logins(text), {{trust}}.gcos_request_decisions(text[]), {{trust}}.gcos_request_status(text[]),
  {{trust}}.gcos_request_approved_at(text[])
  to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{pruner}};
set local role {{owner}};
