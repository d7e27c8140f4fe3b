-- Whether an exception covers a unit: one object, or all units of an inventory group, a collection or a
-- class.
create function {{trust}}.gcos_exception_is_about(
  p_kind text, p_collection text, p_code text, p_inventory_key text, p_class text, u_registry text, u_code text, u_inventory_key text,
  u_class text)
returns boolean
language sql immutable
as $gcos_function$
  select case p_kind
    when 'object' then u_registry = p_collection and u_code = p_code
    when 'group' then u_inventory_key = p_inventory_key
    when 'collection' then u_registry = p_collection
    else u_class = p_class
  end
$gcos_function$;

-- The rows that these exceptions cover, in force or not, and whether each needs it: a link that it
-- accepts was missing in the last coverage evaluation. Null: not evaluated yet. An object without a row of
-- its own counts with the evidence of its container and has no row_id: its exception concerns no other
-- member.
create function {{trust}}.gcos_exception_units(p_codes text[])
returns table (exception_code text, row_id bigint, counts boolean, needed boolean)
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select {{trust}}.gcos_require_owner();
  with exception as materialized (
    select e.exception_code, e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link,
      case when e.subject_kind = 'object' then {{trust}}.gcos_object_key(e.collection_name, e.entity_code) end as object_key
    from {{trust}}.governance_exception e
    where e.exception_code in (select c.code from unnest(p_codes) as c(code))
  ),
  place as (
    select e.exception_code, e.scope, e.link, e.subject_kind, i.inventory_key
    from exception e
    join {{schema}}.governance_inventory i on {{trust}}.gcos_exception_is_about(e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class,
      i.source_registry, e.entity_code, i.inventory_key, i.object_class)
    where e.subject_kind <> 'object'
  ),
  rowless as materialized (
    select row_number() over () as no, e.exception_code, e.collection_name, e.entity_code, e.scope, e.link
    from exception e
    where e.subject_kind = 'object' and not exists (
      select from {{schema}}.governance_candidate_object o where o.object_key = e.object_key and o.scope = e.scope and o.row_state = 'active')
  ),
  contained as materialized (
    select g.no, g.inventory_key
    from (select array_agg(r.collection_name order by r.no) as collections, array_agg(r.entity_code order by r.no) as codes from rowless r) p
    cross join lateral {{trust}}.gcos_groups_of(p.collections, p.codes) g
    where g.inherits
  )
  select u.exception_code, u.row_id, u.weight = 1 or u.subject_kind = 'object',
    case when u.coverage_evidence is not null then exists (
      select
      from jsonb_each(u.coverage_evidence -> 'links') as l(link, found)
      where l.found ->> 'state' in ('missing', 'excepted') and (u.link is null or u.link = l.link)) end
  from (
    select p.exception_code, p.subject_kind, p.link, c.row_id, c.weight, c.coverage_evidence
    from place p
    join {{schema}}.governance_candidate_state c on c.inventory_key = p.inventory_key and c.scope = p.scope
    where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.weight = 1
    union all
    select p.exception_code, p.subject_kind, p.link, c.row_id, c.weight, c.coverage_evidence
    from place p
    join {{schema}}.governance_candidate_object c on c.inventory_key = p.inventory_key and c.scope = p.scope
    where c.row_state = 'active' and c.candidate_verdict = 'relevant'
    union all
    select e.exception_code, 'object', e.link, c.row_id, c.weight, c.coverage_evidence
    from exception e
    join {{schema}}.governance_candidate_object c on c.object_key = e.object_key and c.scope = e.scope
    where c.row_state = 'active' and c.candidate_verdict = 'relevant'
    union all
    select r.exception_code, 'object', r.link, null, c.weight, c.coverage_evidence
    from rowless r
    join contained g on g.no = r.no
    join {{schema}}.governance_candidate_state c on c.inventory_key = g.inventory_key and c.scope = r.scope
    where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.weight = 1
  ) u;
$gcos_function$;

-- Units whose last coverage outcome differs under the exceptions in force at as_of: a gap that was
-- accepted is open again (exception_lapsed), or all missing links are accepted now (exception_granted).
-- They have not been evaluated since, so the ledger counts them as unverified.
create function {{trust}}.governance_exception_effect(as_of timestamptz)
returns table (row_id bigint, change text)
language sql stable
as $gcos_function$
  with in_force as materialized (
    select x.subject_kind, x.collection_name, x.entity_code, x.inventory_key, x.object_class, x.scope, x.link
    from {{trust}}.governance_exception_in_force(as_of) x
  ),
  unit as (
    select c.row_id, c.scope, c.coverage_outcome, c.coverage_evidence, i.source_registry, null::text as entity_code, i.inventory_key,
      i.object_class
    from {{schema}}.governance_candidate_state c
    join {{schema}}.governance_inventory i on i.inventory_key = c.inventory_key
    where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.weight = 1 and c.coverage_outcome in ('exception', 'orphan')
    union all
    select c.row_id, c.scope, c.coverage_outcome, c.coverage_evidence, i.source_registry, c.entity_code, i.inventory_key, i.object_class
    from {{schema}}.governance_candidate_object c
    join {{schema}}.governance_inventory i on i.inventory_key = c.inventory_key
    where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.coverage_outcome in ('exception', 'orphan')
  ),
  touched as (
    select u.row_id, u.scope, u.coverage_outcome, u.coverage_evidence, u.source_registry, u.entity_code, u.inventory_key, u.object_class
    from unit u
    where u.coverage_outcome = 'exception' or (u.source_registry, u.entity_code, u.scope) in (
      select x.collection_name, x.entity_code, x.scope from in_force x where x.subject_kind = 'object'
    ) or exists (
      select
      from in_force x
      where x.subject_kind <> 'object' and x.scope = u.scope and {{trust}}.gcos_exception_is_about(x.subject_kind, x.collection_name, x.entity_code, x.inventory_key, x.object_class,
        u.source_registry, u.entity_code, u.inventory_key, u.object_class))
  ),
  link as (
    select t.row_id, t.coverage_outcome, l.found ->> 'state' as state,
      t.entity_code is not null and ((t.source_registry, t.entity_code, t.scope, l.link) in (
        select x.collection_name, x.entity_code, x.scope, x.link from in_force x where x.subject_kind = 'object' and x.link is not null
      ) or (t.source_registry, t.entity_code, t.scope) in (
        select x.collection_name, x.entity_code, x.scope from in_force x where x.subject_kind = 'object' and x.link is null
      )) or exists (
        select
        from in_force x
        where x.subject_kind <> 'object' and x.scope = t.scope and (x.link is null or x.link = l.link)
          and {{trust}}.gcos_exception_is_about(x.subject_kind, x.collection_name, x.entity_code, x.inventory_key, x.object_class,
            t.source_registry, t.entity_code, t.inventory_key, t.object_class)) as accepted
    from touched t
    cross join lateral jsonb_each(t.coverage_evidence -> 'links') as l(link, found)
  )
  select l.row_id, case l.coverage_outcome when 'exception' then 'exception_lapsed' else 'exception_granted' end
  from link l
  group by l.row_id, l.coverage_outcome
  having bool_or(l.state = 'conflict' or (l.state in ('missing', 'excepted') and not l.accepted)) = (l.coverage_outcome = 'exception')
$gcos_function$;
comment on function {{trust}}.governance_exception_effect(timestamptz) is 'GCOS: units whose coverage was evaluated under other exceptions than those in force at a point in time';

revoke all on function {{trust}}.gcos_exception_is_about(text, text, text, text, text, text, text, text, text), {{trust}}.gcos_exception_units(text[]),
  {{trust}}.governance_exception_effect(timestamptz) from public;
grant execute on function {{trust}}.gcos_exception_is_about(text, text, text, text, text, text, text, text, text), {{trust}}.gcos_exception_units(text[]),
  {{trust}}.governance_exception_effect(timestamptz) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant execute on function {{trust}}.gcos_exception_units(text[]) to {{trust_owner}};

set local role {{trust_owner}};
-- Returns the exceptions whose status differs from the status applied last, and stores the new status.
-- INVARIANT: each change is returned once. The rows are those that the exception covers, if it came into
-- force or ceased to be. The grant and the expiry are each audited once, by the first session that notices
-- them.
create function {{trust}}.gcos_apply_exception_changes()
returns table (exception_code text, before text, status text, row_ids bigint[])
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  moment constant timestamptz := {{trust}}.gcos_now();
  codes text[];
  earlier text[];
  now_as text[];
  ended text[];
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_exception_fingerprints(text[], text[], text[], text[], text[], text[], text[])',
    '{{trust}}.gcos_exception_units(text[])', '{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_announce_grants(moment);
  with moved as materialized (
    select s.exception_code, s.status, e.applied_status as before, s.status = 'expired' and not e.is_expiry_announced as tells
    from {{trust}}.governance_exception_status(moment) s
    join {{trust}}.governance_exception e on e.exception_code = s.exception_code
    where e.applied_status is distinct from s.status
  ),
  applied as (
    update {{trust}}.governance_exception e
    set applied_status = m.status, is_expiry_announced = e.is_expiry_announced or m.status = 'expired'
    from moved m
    where e.exception_code = m.exception_code and e.applied_status is distinct from m.status
    returning e.exception_code, m.before, m.status, m.tells
  )
  select array_agg(s.exception_code order by s.exception_code), array_agg(s.before order by s.exception_code),
    array_agg(s.status order by s.exception_code), array_agg(s.exception_code order by s.exception_code) filter (where s.tells)
  into codes, earlier, now_as, ended
  from applied s;
  if codes is null then
    return;
  end if;
  if ended is not null then
    perform {{trust}}.gcos_audit(array_fill('governance_exception'::text, array[cardinality(ended)]), ended,
      array_fill('expire'::text, array[cardinality(ended)]),
      array(
        select jsonb_build_object('subject', e.subject_kind, 'scope', e.scope, 'link', e.link, 'expires_at', e.expires_at)::text
        from {{trust}}.governance_exception e where e.exception_code in (select c.code from unnest(ended) as c(code)) order by e.exception_code),
      null);
  end if;
  -- Again, because the host's code ran.
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_exception_units(text[])');
  return query
  with change as materialized (
    select c.code, c.was, c.is_now, (coalesce(c.was, '') = 'in_force') <> (c.is_now = 'in_force') as moves
    from unnest(codes, earlier, now_as) as c(code, was, is_now)
  ),
  covered as materialized (
    select u.exception_code, array_agg(u.row_id order by u.row_id) as row_ids
    from {{trust}}.gcos_exception_units(array(select c.code from change c where c.moves)) u
    where u.row_id is not null
    group by u.exception_code
  )
  select c.code, c.was, c.is_now, coalesce(u.row_ids, '{}')
  from change c
  left join covered u on u.exception_code = c.code;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_apply_exception_changes() from public;
grant execute on function {{trust}}.gcos_apply_exception_changes() to {{worker}};
set local role {{owner}};
