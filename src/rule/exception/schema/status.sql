-- The fingerprint of the subject of an exception, as of now: dimensions, profile with the links required
-- in the scope, risk and owner of all that is relevant there. The number of members of a container is not
-- part of it. The row of the container stands for an object that it represents: the object's own row, which
-- a scan writes once the exception is in force, has the same values. Null: nothing there is relevant.
create function {{trust}}.gcos_exception_fingerprint(
  p_kind text, p_collection text, p_code text, p_inventory_key text, p_class text, p_scope text, p_link text)
returns text
-- PL/pgSQL caches the plan; a SQL function would be planned again for every call.
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  container text;
begin
  perform {{trust}}.gcos_require_owner();
  if p_kind = 'object' and not exists (
    select from {{schema}}.governance_candidate_object o
    where o.object_key = {{trust}}.gcos_object_key(p_collection, p_code) and o.scope = p_scope and o.row_state = 'active') then
    container := (select g.inventory_key from {{trust}}.gcos_groups_of(array[p_collection], array[p_code]) g where g.inherits);
  end if;
  return (select encode(sha256(convert_to(
    jsonb_build_array(p_kind, p_collection, p_code, p_inventory_key, p_class, p_scope, p_link, jsonb_agg(distinct s.what))::text,
    'UTF8')), 'hex')
  from (
    select jsonb_build_array(i.object_class, i.source_registry, i.axis_family, c.evidence -> 'profile', c.evidence -> 'required_links',
      c.risk_class, c.owner_scope) as what
    from {{schema}}.governance_inventory i
    join {{schema}}.governance_candidate_state c on c.inventory_key = i.inventory_key and c.scope = p_scope
    where c.row_state = 'active' and c.candidate_verdict = 'relevant'
      and case p_kind
        when 'object' then i.inventory_key = container and c.weight = 1
        when 'group' then i.inventory_key = p_inventory_key
        when 'collection' then i.source_registry = p_collection
        when 'class' then i.object_class = p_class
        else false
      end
    union all
    select jsonb_build_array(i.object_class, i.source_registry, i.axis_family, c.evidence -> 'profile', c.evidence -> 'required_links',
      c.risk_class, c.owner_scope)
    from {{schema}}.governance_candidate_object c
    join {{schema}}.governance_inventory i on i.inventory_key = c.inventory_key
    where p_kind = 'object' and c.object_key = {{trust}}.gcos_object_key(p_collection, p_code) and c.scope = p_scope
      and c.row_state = 'active' and c.candidate_verdict = 'relevant'
  ) s
  having count(*) > 0);
end
$gcos_function$;
comment on function {{trust}}.gcos_exception_fingerprint(text, text, text, text, text, text, text) is 'GCOS: the state of the subject of an exception, as one hash';
revoke all on function {{trust}}.gcos_exception_fingerprint(text, text, text, text, text, text, text) from public;
grant execute on function {{trust}}.gcos_exception_fingerprint(text, text, text, text, text, text, text) to {{trust_owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- Whether the subject of a request for an exception, or one of those that it lists, has risk write_high
-- anywhere, or a risk that is not known; also if there is no such subject.
create function {{trust}}.gcos_exception_is_high_risk(p_terms jsonb)
returns boolean
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  container text;
begin
  perform {{trust}}.gcos_require_owner();
  if jsonb_typeof(p_terms) = 'array' then
    return coalesce((select bool_or({{trust}}.gcos_exception_is_high_risk(t.terms)) from jsonb_array_elements(p_terms) as t(terms)
      where jsonb_typeof(t.terms) <> 'array'), true);
  end if;
  if p_terms ->> 'subject' = 'object' then
    container := (select g.inventory_key from {{trust}}.gcos_groups_of(array[p_terms ->> 'collection'], array[p_terms ->> 'code']) g);
  end if;
  return coalesce((
    select bool_or(coalesce(s.risk_class, '') not in ('write_low', 'read', 'descriptive'))
    from (
      select c.risk_class
      from {{schema}}.governance_inventory i
      join {{schema}}.governance_candidate_state c on c.inventory_key = i.inventory_key and c.row_state = 'active'
      where case p_terms ->> 'subject'
        when 'object' then i.inventory_key = container
        when 'group' then i.inventory_key = p_terms ->> 'inventory_key'
        when 'collection' then i.source_registry = p_terms ->> 'collection'
        when 'class' then i.object_class = p_terms ->> 'class'
        else false end
      union all
      select o.risk_class
      from {{schema}}.governance_candidate_object o
      where p_terms ->> 'subject' = 'object' and o.object_key = {{trust}}.gcos_object_key(p_terms ->> 'collection', p_terms ->> 'code')
        and o.row_state = 'active'
    ) s), true);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_exception_is_high_risk(jsonb) from public;
grant execute on function {{trust}}.gcos_exception_is_high_risk(jsonb) to {{trust_owner}};

set local role {{trust_owner}};
-- The terms of an exception in the form of its request: an approval is valid for exactly these terms.
create function {{trust}}.gcos_exception_terms(
  p_kind text, p_collection text, p_code text, p_inventory_key text, p_class text, p_scope text, p_link text, p_expires_at timestamptz,
  p_fingerprint text)
returns jsonb
language sql stable
as $gcos_function$
  select jsonb_strip_nulls(jsonb_build_object('subject', p_kind, 'collection', p_collection, 'code', p_code, 'inventory_key', p_inventory_key,
    'class', p_class, 'scope', p_scope, 'link', p_link, 'expires_at', extract(epoch from p_expires_at)::text, 'fingerprint', p_fingerprint))
$gcos_function$;

-- The terms of all exceptions that a request is about: of one, or of a list.
create function {{trust}}.gcos_exceptions_in(p_action jsonb)
returns jsonb
language sql immutable
return case
  when p_action ? 'exception' then jsonb_build_array(p_action -> 'exception')
  when jsonb_typeof(p_action -> 'exceptions') = 'array' then p_action -> 'exceptions'
  else '[]'::jsonb
end;

-- The status of the request for each exception, if the request has exactly its terms; with p_live, only
-- for exceptions that can be in force at as_of. On a host without approval tables there is none.
create function {{trust}}.gcos_exception_requests(as_of timestamptz, p_live boolean)
returns table (exception_code text, request_status text)
language plpgsql stable
rows 10
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  refs text[] := array(
    select distinct e.approval_ref
    from {{trust}}.governance_exception e
    where e.approval_ref is not null
      and (not p_live or (e.granted_at <= as_of and e.expires_at > as_of and (e.revoked_at is null or e.revoked_at > as_of))));
begin
  if cardinality(refs) = 0 then
    return;
  end if;
  return query
  select e.exception_code, s.status
  from {{trust}}.gcos_request_status(refs) s
  join {{trust}}.governance_request w on w.request_code = s.request_code
  cross join lateral (
    select distinct t.terms from jsonb_array_elements({{trust}}.gcos_exceptions_in(w.proposed_action)) as t(terms)
  ) as asked
  join {{trust}}.governance_exception e on e.approval_ref = s.request_code
    and {{trust}}.gcos_exception_terms(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link,
      e.expires_at, e.fingerprint) = asked.terms
  where w.action_code = 'gcos.exception.grant';
end
$gcos_function$;

-- The status of exceptions at a point in time, the first that applies: revoked, not_yet, not_granted
-- (rejected, or not approved before its end), expired, waiting (for approval), unratified, dormant
-- (nothing there is relevant), changed (its subject has changed), in_force. With p_live, only exceptions
-- that can be in force then: the same result, without reading past ones.
create function {{trust}}.gcos_exception_state(as_of timestamptz, p_live boolean)
returns table (
  exception_code text, subject_kind text, collection_name text, entity_code text, inventory_key text, object_class text, scope text,
  link text, reason text, requested_by text, granted_at timestamptz, expires_at timestamptz, approval_ref text, status text)
language sql stable
as $gcos_function$
  select e.exception_code, e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link, e.reason,
    e.requested_by, e.granted_at, e.expires_at, e.approval_ref,
    case
      when e.revoked_at <= as_of then 'revoked'
      when e.granted_at > as_of then 'not_yet'
      when r.request_status in ('rejected', 'withdrawn') then 'not_granted'
      when r.request_status = 'pending' then case when e.expires_at <= as_of then 'not_granted' else 'waiting' end
      when e.expires_at <= as_of then 'expired'
      when r.request_status is distinct from 'approved' then 'unratified'
      when n.fingerprint is null then 'dormant'
      when n.fingerprint <> e.fingerprint then 'changed'
      else 'in_force'
    end
  from {{trust}}.governance_exception e
  left join {{trust}}.gcos_exception_requests(as_of, p_live) r on r.exception_code = e.exception_code
  -- Only an approved exception needs it: the look-up of an object without a row reads its birth.
  cross join lateral (
    select case when e.expires_at > as_of and r.request_status = 'approved' then {{trust}}.gcos_exception_fingerprint(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key,
      e.object_class, e.scope, e.link) end as fingerprint
    offset 0
  ) as n
  where not p_live or (e.granted_at <= as_of and e.expires_at > as_of and (e.revoked_at is null or e.revoked_at > as_of))
$gcos_function$;

create function {{trust}}.governance_exception_status(as_of timestamptz)
returns table (
  exception_code text, subject_kind text, collection_name text, entity_code text, inventory_key text, object_class text, scope text,
  link text, reason text, requested_by text, granted_at timestamptz, expires_at timestamptz, approval_ref text, status text)
language sql stable
as $gcos_function$
  select s.exception_code, s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, s.scope, s.link, s.reason,
    s.requested_by, s.granted_at, s.expires_at, s.approval_ref, s.status
  from {{trust}}.gcos_exception_state(as_of, false) s
$gcos_function$;
comment on function {{trust}}.governance_exception_status(timestamptz) is 'GCOS: the status of every exception at a point in time';

-- INVARIANT: only this function decides whether a gap is excepted, for coverage, ledger and gate.
create function {{trust}}.governance_exception_in_force(as_of timestamptz)
returns table (
  exception_code text, subject_kind text, collection_name text, entity_code text, inventory_key text, object_class text, scope text,
  link text, expires_at timestamptz)
language sql stable
as $gcos_function$
  select s.exception_code, s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, s.scope, s.link, s.expires_at
  from {{trust}}.gcos_exception_state(as_of, true) s
  where s.status = 'in_force'
$gcos_function$;
comment on function {{trust}}.governance_exception_in_force(timestamptz) is 'GCOS: the exceptions in force at a point in time';

revoke all on function {{trust}}.gcos_exception_terms(text, text, text, text, text, text, text, timestamptz, text),
  {{trust}}.gcos_exceptions_in(jsonb), {{trust}}.gcos_exception_requests(timestamptz, boolean), {{trust}}.gcos_exception_state(timestamptz, boolean),
  {{trust}}.governance_exception_status(timestamptz), {{trust}}.governance_exception_in_force(timestamptz) from public;
grant execute on function {{trust}}.gcos_exception_terms(text, text, text, text, text, text, text, timestamptz, text),
  {{trust}}.gcos_exceptions_in(jsonb), {{trust}}.gcos_exception_requests(timestamptz, boolean), {{trust}}.gcos_exception_state(timestamptz, boolean),
  {{trust}}.governance_exception_status(timestamptz), {{trust}}.governance_exception_in_force(timestamptz)
  to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
