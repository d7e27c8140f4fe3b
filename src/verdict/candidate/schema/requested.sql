-- Why an object of a class that inherits needs a row of its own although its input is accepted: an exception
-- for it is in force, a finding about it is open, or the gate was asked about it at high risk.

-- Objects of high risk that the gate was asked about, while their container represented them or their row had
-- weight 0. The gate writes; a scan deletes what is no longer a reason. It is no part of the derived state.
create table {{schema}}.governance_consulted_object (
  object_key text primary key,
  collection_name text not null,
  entity_code text not null,
  inventory_key text not null,
  asked_at timestamptz not null
);
comment on table {{schema}}.governance_consulted_object is 'GCOS: objects of inheriting classes with high risk that the gate was asked about in production; each gets a row of its own for a limited time';
comment on column {{schema}}.governance_consulted_object.asked_at is 'The last question, to within five minutes';
create index governance_consulted_object_by_time on {{schema}}.governance_consulted_object (asked_at desc, object_key);
grant select on {{schema}}.governance_consulted_object to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant delete on {{schema}}.governance_consulted_object to {{worker}};

create index governance_candidate_object_requested on {{schema}}.governance_candidate_object (object_key)
  where row_state = 'active' and reasons && array['high_risk_write', 'exception', 'open_finding'];

-- The questions to the gate that are still a reason at as_of: the last ones within the time limit.
create function {{trust}}.gcos_consulted_objects(as_of timestamptz)
returns setof {{schema}}.governance_consulted_object
language plpgsql stable
rows 10
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  limits jsonb;
begin
  if not exists (select from {{schema}}.governance_consulted_object) then
    return;
  end if;
  limits := {{trust}}.gcos_rule_setting('verdict.high_risk_write');
  return query
  select c.object_key, c.collection_name, c.entity_code, c.inventory_key, c.asked_at
  from {{schema}}.governance_consulted_object c
  where c.asked_at > as_of - make_interval(hours => coalesce((limits ->> 'hours')::integer, 24))
  order by c.asked_at desc, c.object_key
  limit coalesce((limits ->> 'at_most')::integer, 1000);
end
$gcos_function$;

-- The objects that need a row of their own at as_of, and why; `ref` names the exception, the finding or the
-- time of the question. object_class null: whatever its class. Objects that count one by one have a row
-- anyway, and objects without a birth cannot have one: callers skip both. With p_any_class the classes that
-- inherit are not known: a plan decides that by the rules it previews. In plpgsql, because the functions
-- of exceptions come with a later migration.
create function {{trust}}.gcos_object_reasons(as_of timestamptz, p_any_class boolean default false)
returns table (collection_name text, entity_code text, object_class text, reason text, ref text)
language plpgsql stable
rows 100
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  closed constant text[] := {{trust}}.gcos_closed_statuses();
begin
  return query
  select x.collection_name, x.entity_code, null::text, 'exception'::text, x.exception_code
  from {{trust}}.governance_exception_in_force(as_of) x
  where x.subject_kind = 'object' and (p_any_class or not exists (
    select from {{schema}}.governance_candidate_object o
    where o.object_key = {{trust}}.gcos_object_key(x.collection_name, x.entity_code) and o.row_state = 'active' and o.weight = 1));

  return query
  with place as (
    select distinct i.source_registry, i.source_registry as name, null::text as object_class
    from {{schema}}.governance_inventory i where i.inherits or p_any_class
    union
    select i.source_registry, i.object_class, i.object_class
    from {{schema}}.governance_inventory i where i.inherits or p_any_class
  )
  select p.source_registry, k.entity_code, p.object_class, 'open_finding'::text, k.issue_code
  from place p
  -- A phantom is named and not in the inventory.
  join {{schema}}.governance_finding_key k on k.entity_type = p.name and k.entity_code is not null and not k.is_summary and k.finding_type <> 'phantom_gap'
  cross join lateral (
    select s.id
    from {{schema}}.system_issues s
    where s.id = k.issue_id and s.code = k.issue_code and (s.status::text = any (closed)) is not true
    limit 1
  ) as open;

  return query
  select c.collection_name, c.entity_code, null::text, 'high_risk_write'::text, c.asked_at::text
  from {{trust}}.gcos_consulted_objects(as_of) c
  where exists (
    select from {{schema}}.governance_candidate_state s
    where s.inventory_key = c.inventory_key and s.row_state = 'active' and s.weight = 1 and s.risk_class = 'write_high');
end
$gcos_function$;
comment on function {{trust}}.gcos_object_reasons(timestamptz, boolean) is 'GCOS: the objects for which an exception, a finding or a question to the gate is a reason for a row of their own';

revoke all on function {{trust}}.gcos_consulted_objects(timestamptz), {{trust}}.gcos_object_reasons(timestamptz, boolean) from public;
grant execute on function {{trust}}.gcos_consulted_objects(timestamptz), {{trust}}.gcos_object_reasons(timestamptz, boolean) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
