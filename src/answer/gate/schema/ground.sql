-- As text, not looked into now: a host that lacks one of its tables can still install GCOS, and is told by the doctor. A function that is not part of
-- the plan around it is in plpgsql, which keeps its plans; one in SQL would be planned anew at every call.
set local check_function_bodies = off;
-- What a ruleset says to the gate, out of its bytes. No list of scopes means the only scope there is; no mode means enforce.
create function gcos_gate_rules_of(p_version text)
returns table (scopes text[], modes jsonb)
language sql stable
as $gcos_function$
  select
    case when c.scopes ->> 'state' = 'present' then array(select s ->> 'scope_code' from jsonb_array_elements(c.scopes -> 'rows') as s)
      else array['all'] end,
    coalesce((
      select s -> 'setting_value' from jsonb_array_elements(c.settings -> 'rows') as s where s ->> 'setting_key' = 'gate.mode'), '{}')
  from governance_ruleset r
  cross join lateral (select convert_from(r.canonical_bytes, 'UTF8')::jsonb -> 'components' as parts offset 0) as b
  cross join lateral (
    select jsonb_path_query_first(b.parts, '$[*] ? (@.component == "scopes")') as scopes,
      jsonb_path_query_first(b.parts, '$[*] ? (@.component == "settings")') as settings) as c
  where r.ruleset_version = p_version
$gcos_function$;

-- Workers that have ticked and are overdue at a point in time: silent, or with work and without progress, by the limits of the setting
-- worker.watch. One that said it stops is not missed; one that is paused need not get on.
create function gcos_gate_overdue(p_at timestamptz)
returns table (executor_name text)
language sql stable
as $gcos_function$
  select h.executor_name::text
  from (select (select s.setting_value from governance_setting s where s.setting_key = 'worker.watch') as limits offset 0) as w
  join queue_heartbeat h
    on h.last_tick_at < p_at - make_interval(secs => coalesce((w.limits ->> 'silence_seconds')::float8, 120))
      or h.metadata -> 'lag_seconds' > '0' and h.metadata ->> 'state' is distinct from 'paused'
        and greatest((h.metadata #>> '{progress,at}')::timestamptz, (h.metadata ->> 'running_since')::timestamptz,
          (h.metadata ->> 'lag_since')::timestamptz) < p_at - make_interval(secs => coalesce((w.limits ->> 'stall_seconds')::float8, 900))
  where h.executor_kind = 'gcos' and h.executor_name like 'gcos\_%' and h.metadata ->> 'state' is distinct from 'stopped'
$gcos_function$;

-- The ways past the gate that are open. A function of its own: the one it asks comes with a later migration.
create function gcos_gate_passes(p_at timestamptz)
returns table (pass_code text, collection_name text, entity_code text, inventory_key text, stage text, action text)
language plpgsql stable
as $gcos_function$
begin
  return query
  select p.pass_code, p.collection_name, p.entity_code, p.inventory_key, p.stage, p.action
  from governance_break_glass_in_force(p_at) p;
end
$gcos_function$;

-- The inventory group of what has no row of its own: a group by its own key or by the key of one of its scopes; an object by its first birth
-- and what the catalogue says of it. `speaks`: whether the rows of the group answer for it. Not in the result: unknown to everybody.
create function gcos_gate_places(p_collections text[], p_codes text[], p_groups text[])
returns table (item_no bigint, inventory_key text, speaks boolean)
language sql stable
as $gcos_function$
  with item as (
    select i.no, i.collection_name, i.entity_code, i.group_asked
    from unnest(p_collections, p_codes, p_groups) with ordinality as i(collection_name, entity_code, group_asked, no)
    where i.group_asked is not null or i.entity_code is not null
  ),
  birth as materialized (
    select i.no, i.collection_name, b.species_code, b.status
    from item i
    cross join lateral (
      select n.species_code::text as species_code, n.status::text as status
      from birth_registry n
      where i.group_asked is null and n.collection_name = i.collection_name and n.entity_code = i.entity_code
      order by n.id
      limit 1) as b
  ),
  -- As class-map.ts chooses: of the rows of a collection the first of equal species, else the first.
  class as materialized (
    select d.collection_name, d.species_code, coalesce((
      select m.entity_type::text
      from meta_catalog m
      where coalesce(nullif(m.registry_collection::text, ''), m.collection_name::text) = d.collection_name and m.entity_type::text <> ''
      order by (m.species_code::text = d.species_code) is true desc, m.code::text collate "C"
      limit 1), 'unresolved') as object_class
    from (select distinct b.collection_name, b.species_code from birth b) d
  )
  select i.no, v.inventory_key, true
  from item i
  join governance_inventory v on v.inventory_key = coalesce(
    (select g.inventory_key from governance_group g where g.group_key = i.group_asked),
    (select c.inventory_key from governance_candidate_state c where c.group_key = i.group_asked limit 1), i.group_asked)
  where i.group_asked is not null
  union all
  select b.no, v.inventory_key, coalesce(v.inherits, false)
  from birth b
  join class c on c.collection_name = b.collection_name and c.species_code is not distinct from b.species_code
  left join lateral (
    select n.inventory_key, n.inherits
    from governance_inventory n
    where n.source_registry = b.collection_name and n.object_class = c.object_class
      and (not n.inherits or n.lifecycle_status is not distinct from b.status)
    order by coalesce(n.member_count, 1) > 0 desc, n.first_seen_at desc
    limit 1) as v on true
$gcos_function$;

revoke all on function gcos_gate_rules_of(text), gcos_gate_overdue(timestamptz), gcos_gate_passes(timestamptz),
  gcos_gate_places(text[], text[], text[]) from public;
grant execute on function gcos_gate_rules_of(text), gcos_gate_overdue(timestamptz), gcos_gate_passes(timestamptz),
  gcos_gate_places(text[], text[], text[]) to {{reader}}, {{worker}}, {{api}}, {{pruner}};
