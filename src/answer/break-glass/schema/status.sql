set local role {{trust_owner}};
-- The terms of a request: an approval covers exactly these terms.
create function {{trust}}.gcos_break_glass_terms(
  p_collection text, p_code text, p_inventory_key text, p_stage text, p_action text, p_minutes integer)
returns jsonb
language sql immutable
as $gcos_function$
  select jsonb_strip_nulls(jsonb_build_object('collection', p_collection, 'code', p_code, 'inventory_key', p_inventory_key, 'stage', p_stage,
    'action', p_action, 'minutes', p_minutes))
$gcos_function$;

-- The status of the request of each pass and the time of its approval, if the request matches the terms of
-- the pass; with p_live, only for passes that could be in force at as_of. Empty if the host has no approval
-- tables.
create function {{trust}}.gcos_break_glass_requests(as_of timestamptz, p_live boolean)
returns table (pass_code text, request_status text, approved_at timestamptz)
language plpgsql stable
rows 10
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  refs text[] := array(
    select distinct p.approval_ref
    from {{trust}}.governance_break_glass p
    where not p_live or (p.approve_by > as_of - interval '1 day' and p.requested_at <= as_of and (p.closed_at is null or p.closed_at > as_of)));
begin
  if cardinality(refs) = 0 then
    return;
  end if;
  return query
  select p.pass_code, s.status, a.approved_at
  from {{trust}}.gcos_request_status(refs) s
  join {{trust}}.governance_request w on w.request_code = s.request_code
  join {{trust}}.governance_break_glass p on p.approval_ref = s.request_code
  left join {{trust}}.gcos_request_approved_at(refs) a on a.request_code = s.request_code
  where w.action_code = 'gcos.gate.break_glass'
    and w.proposed_action -> 'break_glass' = {{trust}}.gcos_break_glass_terms(p.collection_name, p.entity_code, p.inventory_key, p.stage, p.action, p.minutes);
end
$gcos_function$;

-- The status of passes at a point in time: refused, waiting, late (not approved in time), unratified,
-- in_force, closed (ended early), over, or lapsed (its approval no longer stands). A pass begins with its
-- approval, not with the request. INVARIANT: a pass whose beginning is stored was in force: it never reads as
-- refused, late, or unratified, whatever happens to its approval. With p_live, only passes that could be in
-- force then, so that past passes cost nothing.
create function {{trust}}.gcos_break_glass_state(as_of timestamptz, p_live boolean)
returns table (
  pass_code text, collection_name text, entity_code text, inventory_key text, stage text, action text, minutes integer, reason text,
  requested_by text, requested_at timestamptz, approve_by timestamptz, approval_ref text, began_at timestamptz, ends_at timestamptz,
  status text)
language sql stable
as $gcos_function$
  select p.pass_code, p.collection_name, p.entity_code, p.inventory_key, p.stage, p.action, p.minutes, p.reason, p.requested_by,
    p.requested_at, p.approve_by, p.approval_ref, b.began_at, e.ends_at,
    case
      when p.began_at <= as_of then
        case
          when p.closed_at <= as_of and p.closed_at <= e.ends_at then 'closed'
          when e.ends_at <= as_of then 'over'
          when r.request_status = 'approved' then 'in_force'
          else 'lapsed'
        end
      when r.request_status in ('rejected', 'withdrawn') then 'refused'
      when p.closed_at <= as_of and b.began_at is null then 'closed'
      when r.request_status = 'approved' and b.began_at is null then 'late'
      when r.request_status = 'pending' and p.approve_by <= as_of then 'late'
      when r.request_status = 'pending' or b.began_at > as_of then 'waiting'
      when b.began_at is null then 'unratified'
      when p.closed_at <= as_of and p.closed_at <= e.ends_at then 'closed'
      when e.ends_at <= as_of then 'over'
      else 'in_force'
    end
  from {{trust}}.governance_break_glass p
  left join {{trust}}.gcos_break_glass_requests(as_of, p_live) r on r.pass_code = p.pass_code
  cross join lateral (
    select coalesce(p.began_at, case when r.request_status = 'approved' and r.approved_at <= p.approve_by
      and (p.closed_at is null or p.closed_at > r.approved_at) then r.approved_at end) as began_at
  ) b
  cross join lateral (
    select least(b.began_at + make_interval(mins => p.minutes), case when b.began_at is not null then p.closed_at end) as ends_at
  ) e
  where not p_live or (p.approve_by > as_of - interval '1 day' and p.requested_at <= as_of and (p.closed_at is null or p.closed_at > as_of))
$gcos_function$;

create function {{trust}}.governance_break_glass_status(as_of timestamptz)
returns table (
  pass_code text, collection_name text, entity_code text, inventory_key text, stage text, action text, minutes integer, reason text,
  requested_by text, requested_at timestamptz, approve_by timestamptz, approval_ref text, began_at timestamptz, ends_at timestamptz,
  status text)
language sql stable rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select s.pass_code, s.collection_name, s.entity_code, s.inventory_key, s.stage, s.action, s.minutes, s.reason, s.requested_by,
    s.requested_at, s.approve_by, s.approval_ref, s.began_at, s.ends_at, s.status
  from {{trust}}.gcos_break_glass_state(as_of, false) s
$gcos_function$;
comment on function {{trust}}.governance_break_glass_status(timestamptz) is 'GCOS: the status of every break-glass pass at a point in time';

-- INVARIANT: the gate uses this function, and nothing else overrides a block.
create function {{trust}}.governance_break_glass_in_force(as_of timestamptz)
returns table (
  pass_code text, collection_name text, entity_code text, inventory_key text, stage text, action text, expires_at timestamptz)
language sql stable rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select s.pass_code, s.collection_name, s.entity_code, s.inventory_key, s.stage, s.action, s.ends_at
  from {{trust}}.gcos_break_glass_state(as_of, true) s
  where s.status = 'in_force'
$gcos_function$;
comment on function {{trust}}.governance_break_glass_in_force(timestamptz) is 'GCOS: the break-glass passes in force at a point in time';

revoke all on function {{trust}}.gcos_break_glass_terms(text, text, text, text, text, integer), {{trust}}.gcos_break_glass_requests(timestamptz, boolean),
  {{trust}}.gcos_break_glass_state(timestamptz, boolean), {{trust}}.governance_break_glass_status(timestamptz), {{trust}}.governance_break_glass_in_force(timestamptz)
  from public;
grant execute on function {{trust}}.governance_break_glass_status(timestamptz), {{trust}}.governance_break_glass_in_force(timestamptz)
  to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
