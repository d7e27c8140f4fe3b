set local role {{trust_owner}};
-- How many approvals of which kind a policy demands for a risk: {"president": 1, "council": 2}; `any` counts
-- every approver. INVARIANT: a quorum that is missing, empty or has another form is that of the reference
-- host, so that no form of the setting passes a request without an approval.
create function {{trust}}.gcos_quorum(p_policy jsonb, p_risk text)
returns jsonb
language sql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select case
    when (
      select bool_and(case when jsonb_typeof(e.value) = 'number'
        then e.value::numeric between 1 and 9 and e.value::numeric = trunc(e.value::numeric) else false end)
      from jsonb_each(case when jsonb_typeof(q.quorum) = 'object' then q.quorum else '{}' end) e) then q.quorum
    when p_risk = 'low' then '{"any": 1}'
    when p_risk = 'medium' then '{"president": 1}'
    else '{"president": 1, "council": 2}' end
  from (
    select case when p_policy ? 'approvals' then jsonb_build_object('any', p_policy -> 'approvals')
      else p_policy -> 'quorum' -> p_risk end as quorum
  ) q
$gcos_function$;

-- Which levels of identity a policy counts for a risk: {"levels": {"high": ["login", "token"]}}. By default
-- high risk counts logins only. INVARIANT: unverified identities are never among them, a risk that is no
-- word counts as high, and a list of another form counts logins only.
create function {{trust}}.gcos_counted_levels(p_policy jsonb, p_risk text)
returns text[]
language sql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select case jsonb_typeof(l.listed)
    when 'array' then array(
      select e.value #>> '{}' from jsonb_array_elements(l.listed) e where e.value in ('"login"', '"oidc"', '"token"') order by 1)
    else case when l.listed is null and p_risk in ('low', 'medium') then array['login', 'oidc', 'token'] else array['login'] end end
  from (select p_policy -> 'levels' -> p_risk as listed) l
$gcos_function$;

-- Whether an approval of this level counts: by the policy at the opening of the request and by the policy in
-- force. What is not verified is decided by approval.accept_unverified instead.
create function {{trust}}.gcos_counts_level(p_level text, p_opening jsonb, p_in_force jsonb, p_risk text)
returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select coalesce(p_level = 'unverified'
    or p_level = any ({{trust}}.gcos_counted_levels(p_opening, p_risk)) and p_level = any ({{trust}}.gcos_counted_levels(p_in_force, p_risk)), false)
$gcos_function$;

-- The risk of a request: the higher of the risk at its opening and the risk of its action now.
create function {{trust}}.gcos_request_risk(p_opening text, p_now text)
returns text
language sql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select coalesce(w.words[greatest(array_position(w.words, p_opening), array_position(w.words, p_now))], 'high')
  from (select array['low', 'medium', 'high'] as words) w
$gcos_function$;

-- Whether a policy accepts the approval of the proposer. A policy with kinds of approver never does.
create function {{trust}}.gcos_accepts_self(p_policy jsonb)
returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select coalesce(p_policy ? 'approvals' and p_policy -> 'self_approval' = 'true'::jsonb, false)
$gcos_function$;

-- The quorum of a request: per kind the higher of the policy at its opening and the policy in force.
create function {{trust}}.gcos_request_quorum(p_opening jsonb, p_in_force jsonb, p_risk text)
returns table (kind text, needed integer)
language sql stable
rows 2
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select e.key, max(e.value::integer)
  from unnest(array[p_opening, p_in_force]) as p(policy)
  cross join lateral jsonb_each_text({{trust}}.gcos_quorum(p.policy, p_risk)) e
  group by e.key
$gcos_function$;

-- Whether the proposer of a request may approve it, with their login: the policy at its opening and the
-- policy in force accept that, and the database can show that the request is about nothing of risk
-- write_high. INVARIANT: only the actions listed here; never breaking the glass.
create function {{trust}}.gcos_self_approvable(p_code text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  request record;
begin
  select w.action_code, w.proposed_action, w.policy, w.identity_level into request
  from {{trust}}.governance_request w where w.request_code = p_code;
  if (request.identity_level = 'login' and {{trust}}.gcos_accepts_self(request.policy)
      and {{trust}}.gcos_accepts_self({{trust}}.gcos_rule_setting('approval.policy'))
      and not {{trust}}.gcos_takes_two_logins(request.action_code)) is not true then
    return false;
  end if;
  case request.action_code
    when 'gcos.ruleset.activate' then
      perform {{trust}}.gcos_require_intact('{{trust}}.gcos_change_is_high_risk(text, text)');
      return not {{trust}}.gcos_change_is_high_risk(request.proposed_action ->> 'supersedes', request.proposed_action ->> 'ruleset_version');
    when 'gcos.exception.grant' then
      perform {{trust}}.gcos_require_intact('{{trust}}.gcos_exception_risks(jsonb)');
      return not {{trust}}.gcos_exception_is_high_risk(coalesce(request.proposed_action -> 'exception', request.proposed_action -> 'exceptions'));
    else
      return false;
  end case;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_counted_levels(jsonb, text), {{trust}}.gcos_counts_level(text, jsonb, jsonb, text),
  {{trust}}.gcos_request_risk(text, text), {{trust}}.gcos_quorum(jsonb, text), {{trust}}.gcos_accepts_self(jsonb),
  {{trust}}.gcos_request_quorum(jsonb, jsonb, text), {{trust}}.gcos_self_approvable(text) from public;
set local role {{owner}};
