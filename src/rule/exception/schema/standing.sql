-- What an exception is about, as it is now: dimensions, profile with the links it requires in the scope, risk and owner of what is
-- relevant there. How many members a container has is no part of it. Null: nothing there is relevant.
create function gcos_exception_fingerprint(
  p_kind text, p_collection text, p_code text, p_inventory_key text, p_class text, p_scope text, p_link text)
returns text
language sql stable
as $gcos_function$
  select encode(sha256(convert_to(
    jsonb_build_array(p_kind, p_collection, p_code, p_inventory_key, p_class, p_scope, p_link, jsonb_agg(distinct s.what))::text,
    'UTF8')), 'hex')
  from (
    select jsonb_build_array(i.object_class, i.source_registry, i.axis_family, c.evidence -> 'profile', c.evidence -> 'required_links',
      c.risk_class, c.owner_scope) as what
    from governance_inventory i
    join governance_candidate_state c on c.inventory_key = i.inventory_key and c.scope = p_scope
    where c.row_state = 'active' and c.candidate_verdict = 'relevant'
      and case p_kind
        when 'group' then i.inventory_key = p_inventory_key
        when 'collection' then i.source_registry = p_collection
        when 'class' then i.object_class = p_class
        else false
      end
    union all
    select jsonb_build_array(i.object_class, i.source_registry, i.axis_family, c.evidence -> 'profile', c.evidence -> 'required_links',
      c.risk_class, c.owner_scope)
    from governance_candidate_object c
    join governance_inventory i on i.inventory_key = c.inventory_key
    where p_kind = 'object' and c.object_key = gcos_object_key(p_collection, p_code) and c.scope = p_scope
      and c.row_state = 'active' and c.candidate_verdict = 'relevant'
  ) s
  having count(*) > 0
$gcos_function$;
comment on function gcos_exception_fingerprint(text, text, text, text, text, text, text) is 'GCOS: what an exception is about, as one hash';

-- What somebody asks for, in the form in which it is requested: an approval is good for exactly these terms.
create function gcos_exception_terms(
  p_kind text, p_collection text, p_code text, p_inventory_key text, p_class text, p_scope text, p_link text, p_expires_at timestamptz,
  p_fingerprint text)
returns jsonb
language sql stable
as $gcos_function$
  select jsonb_strip_nulls(jsonb_build_object('subject', p_kind, 'collection', p_collection, 'code', p_code, 'inventory_key', p_inventory_key,
    'class', p_class, 'scope', p_scope, 'link', p_link, 'expires_at', extract(epoch from p_expires_at)::text, 'fingerprint', p_fingerprint))
$gcos_function$;

-- The exceptions whose approval is witnessed, complete, and about exactly their terms. Where the host has nothing to approve with
-- there are none.
create function gcos_ratified_exceptions()
returns table (exception_code text)
language plpgsql stable
as $gcos_function$
#variable_conflict use_column
begin
  if to_regclass('approval_requests') is null or to_regclass('apr_approvals') is null or to_regclass('apr_action_types') is null
    or not exists (select from governance_exception e where e.approval_ref is not null) then
    return;
  end if;
  return query
  select e.exception_code
  from gcos_request_standing(array(
    select distinct r.approval_ref from governance_exception r where r.approval_ref is not null)) s
  join governance_request w on w.request_code = s.request_code
  join governance_exception e on e.approval_ref = s.request_code
  where s.standing = 'approved' and w.action_code = 'gcos.exception.grant'
    and w.proposed_action -> 'exception' = gcos_exception_terms(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key,
      e.object_class, e.scope, e.link, e.expires_at, e.fingerprint);
end
$gcos_function$;

-- Where every exception stands at a point in time, the first that applies: revoked, not_yet, expired, dormant (nothing there is
-- relevant), unratified, changed (its subject is not what it was), in_force.
create function governance_exception_standing(as_of timestamptz)
returns table (
  exception_code text, subject_kind text, collection_name text, entity_code text, inventory_key text, object_class text, scope text,
  link text, reason text, requested_by text, granted_at timestamptz, expires_at timestamptz, approval_ref text, standing text)
language sql stable
as $gcos_function$
  select e.exception_code, e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link, e.reason,
    e.requested_by, e.granted_at, e.expires_at, e.approval_ref,
    case
      when e.revoked_at <= as_of then 'revoked'
      when e.granted_at > as_of then 'not_yet'
      when e.expires_at <= as_of then 'expired'
      when n.fingerprint is null then 'dormant'
      when r.exception_code is null then 'unratified'
      when n.fingerprint <> e.fingerprint then 'changed'
      else 'in_force'
    end
  from governance_exception e
  cross join lateral (
    select gcos_exception_fingerprint(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link)
      as fingerprint
    offset 0
  ) as n
  left join gcos_ratified_exceptions() r on r.exception_code = e.exception_code
$gcos_function$;
comment on function governance_exception_standing(timestamptz) is 'GCOS: where every exception stands at a point in time';

-- INVARIANT: whoever asks whether a gap is excepted (coverage, ledger, gate) asks this.
create function governance_exception_in_force(as_of timestamptz)
returns table (
  exception_code text, subject_kind text, collection_name text, entity_code text, inventory_key text, object_class text, scope text,
  link text, expires_at timestamptz)
language sql stable
as $gcos_function$
  select s.exception_code, s.subject_kind, s.collection_name, s.entity_code, s.inventory_key, s.object_class, s.scope, s.link, s.expires_at
  from governance_exception_standing(as_of) s
  where s.standing = 'in_force'
$gcos_function$;
comment on function governance_exception_in_force(timestamptz) is 'GCOS: the exceptions that hold at a point in time';

revoke all on function gcos_exception_fingerprint(text, text, text, text, text, text, text),
  gcos_exception_terms(text, text, text, text, text, text, text, timestamptz, text), gcos_ratified_exceptions(),
  governance_exception_standing(timestamptz), governance_exception_in_force(timestamptz) from public;
grant execute on function gcos_exception_fingerprint(text, text, text, text, text, text, text),
  gcos_exception_terms(text, text, text, text, text, text, text, timestamptz, text), gcos_ratified_exceptions(),
  governance_exception_standing(timestamptz), governance_exception_in_force(timestamptz) to {{reader}}, {{worker}}, {{api}}, {{pruner}};
