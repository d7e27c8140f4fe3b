-- A question with its answer, about an object (collection and code) or a group, at a stage, for an action.
-- `known`: such a row, birth or group exists. `represented`: its class inherits, so the rows of the inventory
-- group answer in each scope without an own row, and findings about that group count; always for a group.
-- `named`: a finding of severity high or critical has its code.
create type {{trust}}.gcos_gate_answered as (
  item_no bigint, collection_name text, entity_code text, requested_group text, stage text, action text, known boolean, represented boolean,
  named boolean, inventory_key text, scopes text[], snapshot_refs bigint[], ruleset_versions text[], scan_times timestamptz[],
  high_risk boolean, reasons jsonb, mode text, answer text, pass_code text, watched_at timestamptz, valid_until timestamptz);

-- The inventory group of each question: of an object by its birth, of a group by its own key or the key of
-- one of its scopes. `represents`: the rows of the group answer for the object. No row for an unknown
-- subject.
create function {{trust}}.gcos_gate_groups(p_collections text[], p_codes text[], p_groups text[])
returns table (item_no bigint, inventory_key text, represents boolean)
language sql stable rows 10
as $gcos_function$
  select b.no, b.inventory_key, b.inherits
  from {{trust}}.gcos_groups_of(p_collections, p_codes) b
  union all
  select k.no, i.inventory_key, true
  from unnest(p_groups) with ordinality as k(key, no)
  join {{schema}}.governance_inventory i on i.inventory_key = coalesce(
    (select g.inventory_key from {{schema}}.governance_group g where g.group_key = k.key),
    (select c.inventory_key from {{schema}}.governance_candidate_state c where c.group_key = k.key limit 1), k.key)
$gcos_function$;

-- Resolves the subjects of questions and reads the rows that answer for them: one row per question, with the
-- reasons of these rows, and without an answer. Uses `limit 1` instead of exists() to check for a finding
-- with the code: with exists(), PostgreSQL would read all findings.
create function {{trust}}.gcos_gate_subjects(
  p_collections text[], p_codes text[], p_groups text[], p_stages text[], p_actions text[], p_version text, p_scopes text[],
  p_at timestamptz)
returns setof {{trust}}.gcos_gate_answered
language plpgsql stable rows 10
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  complete bigint;
begin
  -- Objects with an own row in every scope: no other row answers for them.
  return query
  select q.item_no, q.collection_name, q.entity_code, q.requested_group, q.stage, q.action, true,
    coalesce((select i.inherits from {{schema}}.governance_inventory i where i.inventory_key = r.inventory_key), false), (
      select true from {{schema}}.governance_finding_key f
      where hashtextextended(f.entity_code, 0) = hashtextextended(q.entity_code, 0) and f.severity in ('critical', 'high') limit 1),
    r.inventory_key, r.scopes, r.snapshots, r.rulesets, r.scans, r.high_risk, coalesce(r.reasons, '[]'), null::text, null::text, null::text, null::timestamptz, r.valid_until
  from unnest(p_collections, p_codes, p_groups, p_stages, p_actions) with ordinality
    as q(collection_name, entity_code, requested_group, stage, action, item_no)
  cross join lateral {{trust}}.gcos_gate_rows({{trust}}.gcos_object_key(q.collection_name, q.entity_code), null, q.stage, q.action, p_version, p_scopes, p_at) r
  where cardinality(r.scopes) = cardinality(p_scopes);
  get diagnostics complete = row_count;
  if complete = cardinality(p_codes) then
    return;
  end if;

  -- All others need their group: that of their own rows, if they have any. Without scopes, nothing is known.
  return query
  select q.item_no, q.collection_name, q.entity_code, q.requested_group, q.stage, q.action, o.scopes > 0 or g.item_no is not null, s.represented, (
      select true from {{schema}}.governance_finding_key f
      where hashtextextended(f.entity_code, 0) = hashtextextended(q.entity_code, 0) and f.severity in ('critical', 'high') limit 1),
    s.inventory_key, coalesce(r.scopes, '{}'), coalesce(r.snapshots, '{}'), coalesce(r.rulesets, '{}'), coalesce(r.scans, '{}'),
    coalesce(r.high_risk, true), coalesce(r.reasons, '[]'), null::text, null::text, null::text, null::timestamptz, r.valid_until
  from unnest(p_collections, p_codes, p_groups, p_stages, p_actions) with ordinality
    as q(collection_name, entity_code, requested_group, stage, action, item_no)
  cross join lateral (select {{trust}}.gcos_object_key(q.collection_name, q.entity_code) as object_key) as k
  cross join lateral (
    select min(c.inventory_key) as inventory_key, count(*) as scopes
    from {{schema}}.governance_candidate_object c
    where c.object_key = k.object_key and c.row_state = 'active' and c.scope = any (p_scopes)
  ) as o
  left join {{trust}}.gcos_gate_groups(p_collections, p_codes, p_groups) g on g.item_no = q.item_no and p_scopes <> '{}'
  cross join lateral (
    select coalesce(o.inventory_key, g.inventory_key) as inventory_key, coalesce(g.represents, false) as represented
  ) as s
  cross join lateral {{trust}}.gcos_gate_rows(
    k.object_key, case when s.represented then s.inventory_key end, q.stage, q.action, p_version, p_scopes, p_at) r
  where o.scopes = 0 or o.scopes < cardinality(p_scopes);
end
$gcos_function$;

revoke all on function {{trust}}.gcos_gate_groups(text[], text[], text[]),
  {{trust}}.gcos_gate_subjects(text[], text[], text[], text[], text[], text, text[], timestamptz) from public;
