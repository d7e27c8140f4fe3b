set local role {{trust_owner}};
-- Audits the grant of an exception once: when its request is approved, not when it is requested.
create function {{trust}}.gcos_announce_grants(p_at timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  codes text[];
  details text[];
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  if not exists (select from {{trust}}.governance_exception e where not e.is_grant_announced and e.approval_ref is not null) then
    return;
  end if;
  with noted as (
    update {{trust}}.governance_exception e
    set is_grant_announced = true
    from {{trust}}.gcos_exception_requests(p_at, false) r
    where r.exception_code = e.exception_code and r.request_status = 'approved' and e.granted_at <= p_at and not e.is_grant_announced
    returning e.exception_code, jsonb_build_object('subject', e.subject_kind, 'scope', e.scope, 'link', e.link, 'expires_at', e.expires_at,
      'approval_ref', e.approval_ref, 'requested_by', e.requested_by)::text as detail
  )
  select array_agg(t.exception_code order by t.exception_code), array_agg(t.detail order by t.exception_code) into codes, details
  from noted t;
  if codes is not null then
    perform {{trust}}.gcos_audit(array_fill('governance_exception'::text, array[cardinality(codes)]), codes,
      array_fill('grant'::text, array[cardinality(codes)]), details, null);
  end if;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_announce_grants(timestamptz) from public;

-- Writes an exception with the current fingerprint of its subject. A written exception suppresses nothing:
-- only an approved one is in force. A request serves one exception, once, and only if it has exactly its
-- terms: an exception that was revoked needs a new request.
create function {{trust}}.gcos_grant_exception(
  p_kind text, p_collection text, p_code text, p_inventory_key text, p_class text, p_scope text, p_link text, p_reason text,
  p_expires_at timestamptz, p_approval_ref text, p_as text)
returns table (outcome text, exception_code text, person_ref text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  now_is text;
  written text;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_exception_fingerprints(text[], text[], text[], text[], text[], text[], text[])');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, null::text, actor.login;
    return;
  end if;
  if (p_expires_at > moment) is not true then
    return query select 'ends_before_it_begins'::text, null::text, actor.person_ref, actor.login;
    return;
  end if;
  if p_expires_at > moment + make_interval(days => coalesce(
    ({{trust}}.gcos_rule_setting('exception.limits') ->> 'longest_days')::integer, 180)) then
    return query select 'too_long'::text, null::text, actor.person_ref, actor.login;
    return;
  end if;
  now_is := (
    select f.fingerprint
    from {{trust}}.gcos_exception_fingerprints(array[p_kind], array[p_collection], array[p_code], array[p_inventory_key], array[p_class],
      array[p_scope], array[p_link]) f);
  if now_is is null then
    return query select 'subject_unknown'::text, null::text, actor.person_ref, actor.login;
    return;
  end if;
  if p_approval_ref is not null then
    if not exists (
      select from {{trust}}.governance_request w
      where w.request_code = p_approval_ref and w.action_code = 'gcos.exception.grant'
        and w.proposed_action -> 'exception' = {{trust}}.gcos_exception_terms(p_kind, p_collection, p_code, p_inventory_key, p_class, p_scope,
          p_link, p_expires_at, now_is)) then
      return query select 'approval_differs'::text, null::text, actor.person_ref, actor.login;
      return;
    end if;
    if exists (select from {{trust}}.governance_exception e where e.approval_ref = p_approval_ref) then
      return query select 'approval_used'::text, null::text, actor.person_ref, actor.login;
      return;
    end if;
  end if;
  insert into {{trust}}.governance_exception as e (
    subject_kind, collection_name, entity_code, inventory_key, object_class, scope, link, reason, requested_by, granted_at, expires_at,
    fingerprint, approval_ref)
  values (p_kind, p_collection, p_code, p_inventory_key, p_class, p_scope, p_link, p_reason, actor.person_ref, moment, p_expires_at, now_is,
    p_approval_ref)
  -- Another session used the approval meanwhile.
  on conflict do nothing
  returning e.exception_code into written;
  if written is null then
    return query select 'approval_used'::text, null::text, actor.person_ref, actor.login;
    return;
  end if;
  perform {{trust}}.gcos_announce_grants(moment);
  return query select 'ok'::text, written, actor.person_ref, actor.login;
end
$gcos_function$;

-- Writes the exceptions that a request lists, each with exactly its terms: all of them, or none. A list of
-- accepted gaps is for a legacy estate, and for 90 days at most.
create function {{trust}}.gcos_grant_exceptions(p_approval_ref text, p_as text)
returns table (outcome text, granted bigint, person_ref text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment constant timestamptz := {{trust}}.gcos_now();
  asked jsonb;
  why text;
  wanted bigint;
  written bigint;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_exception_fingerprints(text[], text[], text[], text[], text[], text[], text[])');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::bigint, null::text, actor.login;
    return;
  end if;
  select {{trust}}.gcos_exceptions_in(w.proposed_action), btrim(w.proposed_action ->> 'reason') into asked, why
  from {{trust}}.governance_request w
  where w.request_code = p_approval_ref and w.action_code = 'gcos.exception.grant' and not w.proposed_action ? 'exception';
  wanted := jsonb_array_length(asked);
  if (wanted > 0 and why <> '') is not true then
    return query select 'approval_differs'::text, null::bigint, actor.person_ref, actor.login;
    return;
  end if;
  if exists (select from {{trust}}.governance_exception e where e.approval_ref = p_approval_ref) then
    return query select 'approval_used'::text, null::bigint, actor.person_ref, actor.login;
    return;
  end if;
  if (select bool_and((t.terms ->> 'expires_at')::float8 between extract(epoch from moment)
      and extract(epoch from moment + make_interval(days => least(90, coalesce(
        ({{trust}}.gcos_rule_setting('exception.limits') ->> 'longest_days')::integer, 90)))))
    from jsonb_array_elements(asked) as t(terms)) is not true then
    return query select 'too_long'::text, null::bigint, actor.person_ref, actor.login;
    return;
  end if;
  insert into {{trust}}.governance_exception (
    subject_kind, collection_name, entity_code, scope, link, reason, requested_by, granted_at, expires_at, fingerprint, approval_ref)
  select 'object', t.collection, t.code, t.scope, t.link, why, actor.person_ref, moment, t.ends, f.fingerprint, p_approval_ref
  from (
    select l.no, l.terms, l.terms ->> 'collection' as collection, l.terms ->> 'code' as code, l.terms ->> 'scope' as scope, l.terms ->> 'link' as link,
      to_timestamp((l.terms ->> 'expires_at')::float8) as ends
    from jsonb_array_elements(asked) with ordinality as l(terms, no)
  ) as t
  join {{trust}}.gcos_exception_fingerprints(array_fill('object'::text, array[wanted::integer]),
    array(select l.terms ->> 'collection' from jsonb_array_elements(asked) with ordinality as l(terms, no) order by l.no),
    array(select l.terms ->> 'code' from jsonb_array_elements(asked) with ordinality as l(terms, no) order by l.no),
    array_fill(null::text, array[wanted::integer]), array_fill(null::text, array[wanted::integer]),
    array(select l.terms ->> 'scope' from jsonb_array_elements(asked) with ordinality as l(terms, no) order by l.no),
    array(select l.terms ->> 'link' from jsonb_array_elements(asked) with ordinality as l(terms, no) order by l.no)) f on f.no = t.no
  where t.terms = {{trust}}.gcos_exception_terms('object', t.collection, t.code, null, null, t.scope, t.link, t.ends, f.fingerprint)
  on conflict do nothing;
  get diagnostics written = row_count;
  if written <> wanted then
    raise exception 'request % lists % exceptions, and % of them are as they were when it was opened', p_approval_ref, wanted, written
      using errcode = 'UG030';
  end if;
  perform {{trust}}.gcos_announce_grants(moment);
  return query select 'ok'::text, written, actor.person_ref, actor.login;
end
$gcos_function$;

-- Revokes an exception, now and for good.
create function {{trust}}.gcos_revoke_exception(p_exception text, p_reason text, p_as text)
returns table (outcome text, person_ref text, login text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  actor record;
  moment timestamptz;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login, a.verified into actor from {{trust}}.gcos_actor(p_as, 'decide') a;
  if actor.outcome <> 'ok' then
    return query select actor.outcome, null::text, actor.login;
    return;
  end if;
  -- A grant that no scan has noticed before the revocation is audited as well.
  moment := {{trust}}.gcos_now();
  perform {{trust}}.gcos_announce_grants(moment);
  update {{trust}}.governance_exception e
  set revoked_at = moment, revoked_by = actor.person_ref, revoke_reason = p_reason
  where e.exception_code = p_exception and e.revoked_at is null;
  if not found then
    return query select 'exception_unknown'::text, actor.person_ref, actor.login;
    return;
  end if;
  perform {{trust}}.gcos_audit(array['governance_exception'], array[p_exception], array['revoke'],
    array[jsonb_build_object('reason', p_reason, 'verified', actor.verified)::text], actor.person_ref);
  return query select 'ok'::text, actor.person_ref, actor.login;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_grant_exception(text, text, text, text, text, text, text, text, timestamptz, text, text),
  {{trust}}.gcos_grant_exceptions(text, text), {{trust}}.gcos_revoke_exception(text, text, text) from public;
grant execute on function {{trust}}.gcos_grant_exception(text, text, text, text, text, text, text, text, timestamptz, text, text),
  {{trust}}.gcos_grant_exceptions(text, text), {{trust}}.gcos_revoke_exception(text, text, text) to {{worker}}, {{api}}, {{server}};
set local role {{owner}};
