-- What approvals need of the host's tables. INVARIANT: only these functions touch them, as the role that owns
-- no trust; the functions that decide call them and compare what they return with what GCOS witnessed. A
-- trigger of the host that fires here cannot reach people, witnesses or decisions. Without the tables they
-- return nothing.
set local check_function_bodies = off;
create function {{trust}}.gcos_host_has_approvals()
returns boolean
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select {{trust}}.gcos_require_owner();
  select to_regclass('{{schema}}.approval_requests') is not null and to_regclass('{{schema}}.apr_approvals') is not null
    and to_regclass('{{schema}}.apr_action_types') is not null;
$gcos_function$;

create function {{trust}}.gcos_host_requests(p_codes text[])
returns table (id bigint, code text, action_code text, proposer text, proposed_action jsonb, status text)
language plpgsql stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  perform {{trust}}.gcos_require_owner();
  if not {{trust}}.gcos_host_has_approvals() then
    return;
  end if;
  return query
  select r.id::bigint, r.code::text, r.action_code::text, r.proposer::text, r.proposed_action::jsonb, r.status::text
  from {{schema}}.approval_requests r
  where r.code::text = any (p_codes);
end
$gcos_function$;

create function {{trust}}.gcos_host_approvals(p_codes text[])
returns table (code text, id bigint, approver text, approver_type text, decision text, decided_at timestamptz)
language plpgsql stable
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  perform {{trust}}.gcos_require_owner();
  if not {{trust}}.gcos_host_has_approvals() then
    return;
  end if;
  return query
  select r.code::text, a.id::bigint, a.approver::text, a.approver_type::text, a.decision::text, a.decided_at::timestamptz
  from {{schema}}.approval_requests r
  join {{schema}}.apr_approvals a on a.apr_id = r.id
  where r.code::text = any (p_codes);
end
$gcos_function$;

-- The highest risk that the host's rows give an action. An unknown word or a missing row means high.
create function {{trust}}.gcos_host_action_risk(p_action text)
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_owner();
  if not {{trust}}.gcos_host_has_approvals() then
    return 'high';
  end if;
  return (
    select case
      when count(*) = 0 or bool_or(coalesce(lower(t.risk::text), '') not in ('low', 'medium')) then 'high'
      when bool_or(lower(t.risk::text) = 'medium') then 'medium'
      else 'low' end
    from {{schema}}.apr_action_types t
    where t.action_code::text = p_action);
end
$gcos_function$;

-- Adds an action type that the host lacks; returns whether it did.
create function {{trust}}.gcos_host_add_action(p_action text, p_risk text)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  as_owner constant boolean := {{trust}}.gcos_require_owner();
  added bigint := 0;
begin
  if not exists (select from {{schema}}.apr_action_types t where t.action_code::text = p_action) then
    execute format('insert into {{schema}}.apr_action_types (action_code, risk)
      select $1, %L where (select {{trust}}.gcos_enter_host()) on conflict do nothing', p_risk) using p_action;
    get diagnostics added = row_count;
    perform {{trust}}.gcos_leave_host();
  end if;
  return added > 0;
end
$gcos_function$;

-- Inserts a request with the next number of the host, after p_latest at least, and returns it as the host
-- stored it. If another program takes the same number, the unique key of the host's table raises an error,
-- and the loop takes the next number.
create function {{trust}}.gcos_host_open_request(p_action text, p_proposed_action jsonb, p_proposer text, p_latest bigint, p_at timestamptz)
returns table (id bigint, code text, proposed_action jsonb)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  as_owner constant boolean := {{trust}}.gcos_require_owner();
  -- True if the code column has a default that numbers the requests.
  host_numbers boolean := exists (
    select from pg_attribute a
    where a.attrelid = to_regclass('{{schema}}.approval_requests') and a.attname = 'code' and a.atthasdef);
  latest bigint := greatest(p_latest, coalesce((
    select max(substring(r.code::text from '^APR-([0-9]{1,15})$')::bigint) from {{schema}}.approval_requests r), 0));
  attempts integer := 0;
begin
  loop
    latest := latest + 1;
    begin
      if host_numbers then
        return query
        insert into {{schema}}.approval_requests as r (action_code, status, proposed_action, proposer, created_at)
        select p_action, 'pending', p_proposed_action, p_proposer, p_at where (select {{trust}}.gcos_enter_host())
        returning r.id::bigint, r.code::text, r.proposed_action::jsonb;
      else
        return query
        insert into {{schema}}.approval_requests as r (code, action_code, status, proposed_action, proposer, created_at)
        select 'APR-' || lpad(latest::text, greatest(4, length(latest::text)), '0'), p_action, 'pending', p_proposed_action, p_proposer, p_at
        where (select {{trust}}.gcos_enter_host())
        returning r.id::bigint, r.code::text, r.proposed_action::jsonb;
      end if;
      return;
    exception when unique_violation then
      attempts := attempts + 1;
      if attempts >= 50 then
        raise;
      end if;
    end;
  end loop;
end
$gcos_function$;

-- Locks a request until the end of the transaction, and returns it.
create function {{trust}}.gcos_host_lock_request(p_code text)
returns table (id bigint, action_code text, proposer text, proposed_action jsonb, status text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  perform {{trust}}.gcos_require_owner();
  if not {{trust}}.gcos_host_has_approvals() then
    return;
  end if;
  return query
  select r.id::bigint, r.action_code::text, r.proposer::text, r.proposed_action::jsonb, r.status::text
  from {{schema}}.approval_requests r
  where r.code::text = p_code
  order by r.id
  limit 1
  for no key update;
end
$gcos_function$;

-- Writes a decision and returns its row. A row that the host already has in this person's name is confirmed
-- if it is equal, and conflicts otherwise: null.
create function {{trust}}.gcos_host_decide(p_request_id bigint, p_person text, p_approver_type text, p_decision text, p_at timestamptz)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  same boolean;
  host_row bigint;
begin
  perform {{trust}}.gcos_require_owner();
  select bool_and((a.approver_type::text, a.decision::text) is not distinct from (p_approver_type, p_decision)), min(a.id)::bigint
  into same, host_row
  from {{schema}}.apr_approvals a where a.apr_id = p_request_id and a.approver::text = p_person;
  if same is not null then
    return case when same then host_row end;
  end if;
  execute format('insert into {{schema}}.apr_approvals (apr_id, approver, approver_type, decision, decided_at)
    select $1, $2, %L, %L, $3 where (select {{trust}}.gcos_enter_host()) returning id::bigint', p_approver_type, p_decision)
  into host_row using p_request_id, p_person, p_at;
  return host_row;
exception when unique_violation then
  return null;
end
$gcos_function$;

create function {{trust}}.gcos_host_end_request(p_request_id bigint, p_status text, p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_require_owner();
  execute format('update {{schema}}.approval_requests set status = %L, decided_at = $2
    where (select {{trust}}.gcos_enter_host()) and id = $1', p_status) using p_request_id, p_at;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_host_has_approvals(), {{trust}}.gcos_host_requests(text[]), {{trust}}.gcos_host_approvals(text[]),
  {{trust}}.gcos_host_action_risk(text), {{trust}}.gcos_host_add_action(text, text),
  {{trust}}.gcos_host_open_request(text, jsonb, text, bigint, timestamptz), {{trust}}.gcos_host_lock_request(text),
  {{trust}}.gcos_host_decide(bigint, text, text, text, timestamptz), {{trust}}.gcos_host_end_request(bigint, text, timestamptz) from public;
grant execute on function {{trust}}.gcos_host_has_approvals(), {{trust}}.gcos_host_requests(text[]), {{trust}}.gcos_host_approvals(text[]),
  {{trust}}.gcos_host_action_risk(text), {{trust}}.gcos_host_add_action(text, text),
  {{trust}}.gcos_host_open_request(text, jsonb, text, bigint, timestamptz), {{trust}}.gcos_host_lock_request(text),
  {{trust}}.gcos_host_decide(bigint, text, text, text, timestamptz), {{trust}}.gcos_host_end_request(bigint, text, timestamptz) to {{trust_owner}};
set local check_function_bodies to default;
