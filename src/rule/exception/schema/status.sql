-- The fingerprints of the subjects of exceptions, as of now: dimensions, profile with the links required in
-- the scope, risk and owner of all that is relevant there. The number of members of a container is not part
-- of it. The row of the container stands for an object that it represents: the object's own row, which a scan
-- writes once the exception is in force, has the same values. `no` is the place in the arrays; without a row:
-- nothing there is relevant. One statement, because a request for a legacy estate lists thousands.
create function {{trust}}.gcos_exception_fingerprints(
  p_kinds text[], p_collections text[], p_codes text[], p_inventory_keys text[], p_classes text[], p_scopes text[], p_links text[])
returns table (no bigint, fingerprint text)
language plpgsql stable
rows 100
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $gcos_function$
#variable_conflict use_column
begin
  perform {{trust}}.gcos_require_owner();
  return query
  with asked as materialized (
    select a.no, a.kind, a.collection, a.code, a.inventory_key, a.class, a.scope, a.link,
      case when a.kind = 'object' then {{trust}}.gcos_object_key(a.collection, a.code) end as object_key
    from unnest(p_kinds, p_collections, p_codes, p_inventory_keys, p_classes, p_scopes, p_links) with ordinality
      as a(kind, collection, code, inventory_key, class, scope, link, no)
  ),
  -- INVARIANT: no step joins another one of thousands of rows, whose number the planner cannot know, except
  -- `asked`: its rows are those of the arrays.
  own as materialized (
    select a.no, a.kind, a.collection, a.code, a.inventory_key, a.class, a.scope, a.link, o.inventory_key as place, o.candidate_verdict,
      o.evidence, o.risk_class, o.owner_scope, o.row_id is not null as has_row
    from asked a
    left join {{schema}}.governance_candidate_object o on o.object_key = a.object_key and o.scope = a.scope and o.row_state = 'active'
    where a.kind = 'object'
  ),
  contained as (
    select p.places[g.no] as no, g.inventory_key as place
    from (
      select array_agg(o.collection order by o.no) as collections, array_agg(o.code order by o.no) as codes, array_agg(o.no order by o.no) as places
      from own o
      where not o.has_row) p
    cross join lateral {{trust}}.gcos_groups_of(p.collections, p.codes) g
    where g.inherits
  ),
  placed as (
    select a.no, a.kind, a.collection, a.code, a.inventory_key, a.class, a.scope, a.link, c.place
    from contained c
    join asked a on a.no = c.no
    union all
    select a.no, a.kind, a.collection, a.code, a.inventory_key, a.class, a.scope, a.link, i.inventory_key
    from asked a
    join {{schema}}.governance_inventory i on i.inventory_key = a.inventory_key
    where a.kind = 'group'
    union all
    select a.no, a.kind, a.collection, a.code, a.inventory_key, a.class, a.scope, a.link, i.inventory_key
    from asked a
    join {{schema}}.governance_inventory i on i.source_registry = a.collection
    where a.kind = 'collection'
    union all
    select a.no, a.kind, a.collection, a.code, a.inventory_key, a.class, a.scope, a.link, i.inventory_key
    from asked a
    join {{schema}}.governance_inventory i on i.object_class = a.class
    where a.kind = 'class'
  ),
  relevant as (
    select p.no, p.kind, p.collection, p.code, p.inventory_key, p.class, p.scope, p.link, p.place, c.evidence, c.risk_class, c.owner_scope
    from placed p
    join {{schema}}.governance_candidate_state c on c.inventory_key = p.place and c.scope = p.scope
    where c.row_state = 'active' and c.candidate_verdict = 'relevant' and (c.weight = 1 or p.kind <> 'object')
    union all
    select o.no, o.kind, o.collection, o.code, o.inventory_key, o.class, o.scope, o.link, o.place, o.evidence, o.risk_class, o.owner_scope
    from own o
    where o.candidate_verdict = 'relevant'
  )
  select r.no, encode(sha256(convert_to(
    jsonb_build_array(r.kind, r.collection, r.code, r.inventory_key, r.class, r.scope, r.link, jsonb_agg(distinct jsonb_build_array(
      i.object_class, i.source_registry, i.axis_family, r.evidence -> 'profile', r.evidence -> 'required_links', r.risk_class, r.owner_scope)))::text,
    'UTF8')), 'hex')
  from relevant r
  join {{schema}}.governance_inventory i on i.inventory_key = r.place
  group by r.no, r.kind, r.collection, r.code, r.inventory_key, r.class, r.scope, r.link;
end
$gcos_function$;
comment on function {{trust}}.gcos_exception_fingerprints(text[], text[], text[], text[], text[], text[], text[]) is 'GCOS: the state of each subject of exceptions, as a hash';

-- The fingerprint of one subject. Null: nothing there is relevant.
create function {{trust}}.gcos_exception_fingerprint(
  p_kind text, p_collection text, p_code text, p_inventory_key text, p_class text, p_scope text, p_link text)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select f.fingerprint
  from {{trust}}.gcos_exception_fingerprints(array[p_kind], array[p_collection], array[p_code], array[p_inventory_key], array[p_class],
    array[p_scope], array[p_link]) f
$gcos_function$;
comment on function {{trust}}.gcos_exception_fingerprint(text, text, text, text, text, text, text) is 'GCOS: the state of the subject of an exception, as one hash';
revoke all on function {{trust}}.gcos_exception_fingerprints(text[], text[], text[], text[], text[], text[], text[]),
  {{trust}}.gcos_exception_fingerprint(text, text, text, text, text, text, text) from public;
grant execute on function {{trust}}.gcos_exception_fingerprints(text[], text[], text[], text[], text[], text[], text[])
  to {{trust_owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
-- Not to the owner of trust, whose functions check what they call: they call the one above.
grant execute on function {{trust}}.gcos_exception_fingerprint(text, text, text, text, text, text, text)
  to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

-- Whether the subject of each of these terms has risk write_high anywhere, or a risk that is not known; also
-- if there is no such subject. `no` is the place in the list.
create function {{trust}}.gcos_exception_risks(p_terms jsonb)
returns table (no bigint, is_high boolean)
language plpgsql stable
rows 100
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $gcos_function$
#variable_conflict use_column
begin
  perform {{trust}}.gcos_require_owner();
  return query
  with asked as materialized (
    select t.no, t.terms ->> 'subject' as kind, t.terms ->> 'collection' as collection, t.terms ->> 'code' as code,
      t.terms ->> 'inventory_key' as inventory_key, t.terms ->> 'class' as class
    from jsonb_array_elements(p_terms) with ordinality as t(terms, no)
  ),
  place as (
    select p.places[g.no] as no, g.inventory_key
    from (
      select array_agg(a.collection order by a.no) as collections, array_agg(a.code order by a.no) as codes, array_agg(a.no order by a.no) as places
      from asked a
      where a.kind = 'object') p
    cross join lateral {{trust}}.gcos_groups_of(p.collections, p.codes) g
    union all
    select a.no, a.inventory_key from asked a where a.kind = 'group'
    union all
    select a.no, i.inventory_key from asked a join {{schema}}.governance_inventory i on i.source_registry = a.collection where a.kind = 'collection'
    union all
    select a.no, i.inventory_key from asked a join {{schema}}.governance_inventory i on i.object_class = a.class where a.kind = 'class'
  ),
  found as (
    select p.no, coalesce(c.risk_class, '') not in ('write_low', 'read', 'descriptive') as is_high
    from place p
    join {{schema}}.governance_candidate_state c on c.inventory_key = p.inventory_key and c.row_state = 'active'
    union all
    select a.no, coalesce(o.risk_class, '') not in ('write_low', 'read', 'descriptive')
    from asked a
    join {{schema}}.governance_candidate_object o on o.object_key = {{trust}}.gcos_object_key(a.collection, a.code) and o.row_state = 'active'
    where a.kind = 'object'
    union all
    -- Each has a row, also one without a subject.
    select a.no, null from asked a
  )
  select f.no, coalesce(bool_or(f.is_high), true)
  from found f
  group by f.no;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_exception_risks(jsonb) from public;
grant execute on function {{trust}}.gcos_exception_risks(jsonb) to {{trust_owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

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

-- Whether a request about these terms, of one exception or of a list, is about anything of risk write_high.
create function {{trust}}.gcos_exception_is_high_risk(p_terms jsonb)
returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select coalesce(bool_or(r.is_high), true)
  from {{trust}}.gcos_exception_risks(case when jsonb_typeof(p_terms) = 'array' then p_terms else jsonb_build_array(p_terms) end) r
$gcos_function$;
revoke all on function {{trust}}.gcos_exception_is_high_risk(jsonb) from public;

-- The status of the request for each exception, if the request has exactly its terms; with p_live, only
-- for exceptions that can be in force at as_of. On a host without approval tables there is none.
create function {{trust}}.gcos_exception_requests(as_of timestamptz, p_live boolean)
returns table (exception_code text, request_status text)
language plpgsql stable
rows 500
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
  with asked as materialized (
    select s.request_code, s.status, t.terms
    from {{trust}}.gcos_request_status(refs) s
    join {{trust}}.governance_request w on w.request_code = s.request_code
    cross join lateral jsonb_array_elements({{trust}}.gcos_exceptions_in(w.proposed_action)) as t(terms)
    where w.action_code = 'gcos.exception.grant'
  ),
  -- Brought together by grouping: a join is planned for the few exceptions of a common request, as a loop,
  -- and a request for a legacy estate has thousands.
  both_sides as (
    select a.request_code, a.terms, null::text as exception_code, a.status from asked a
    union all
    select e.approval_ref, {{trust}}.gcos_exception_terms(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope,
      e.link, e.expires_at, e.fingerprint), e.exception_code, null
    from {{trust}}.governance_exception e
    where e.approval_ref = any (refs)
  )
  select max(b.exception_code), max(b.status)
  from both_sides b
  group by b.request_code, b.terms
  having max(b.exception_code) is not null and max(b.status) is not null;
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
  with exception as materialized (
    select row_number() over () as place, e.exception_code, e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link,
      e.reason, e.requested_by, e.granted_at, e.expires_at, e.revoked_at, e.fingerprint, e.approval_ref
    from {{trust}}.governance_exception e
    where not p_live or (e.granted_at <= as_of and e.expires_at > as_of and (e.revoked_at is null or e.revoked_at > as_of))
  ),
  requested as materialized (
    select r.exception_code, r.request_status from {{trust}}.gcos_exception_requests(as_of, p_live) r
  ),
  -- Only an approved exception needs it: the look-up of an object without a row reads its birth.
  approved as (
    select array_agg(e.place order by e.place) as places, array_agg(e.subject_kind order by e.place) as kinds,
      array_agg(e.collection_name order by e.place) as collections, array_agg(e.entity_code order by e.place) as codes,
      array_agg(e.inventory_key order by e.place) as inventory_keys, array_agg(e.object_class order by e.place) as classes,
      array_agg(e.scope order by e.place) as scopes, array_agg(e.link order by e.place) as links
    from exception e
    join requested r on r.exception_code = e.exception_code and r.request_status = 'approved'
    where e.expires_at > as_of
    having count(*) > 0
  ),
  subject as materialized (
    select a.places[f.no] as place, f.fingerprint
    from approved a
    cross join lateral {{trust}}.gcos_exception_fingerprints(a.kinds, a.collections, a.codes, a.inventory_keys, a.classes, a.scopes, a.links) f
  )
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
  from exception e
  left join requested r on r.exception_code = e.exception_code
  left join subject n on n.place = e.place
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
