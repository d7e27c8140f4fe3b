-- name: readPrototypes
-- One birth of each of the collections :collections as a prototype for more, and the last number that earlier
-- traffic with the prefix :prefix used.
-- nullable: species_code, composition_level, dot_origin, governance_role
with given as (
  select b.entity_code as code from birth_registry b where starts_with(b.entity_code, :prefix::text)
  union all
  -- The last birth may have been deleted.
  select c.entity_code from registry_changelog c where c.changed_by = 'demo_traffic' and starts_with(c.entity_code, :prefix::text)
)
select c.collection_name, p.species_code, p.composition_level, p.dot_origin, p.governance_role,
  (select coalesce(max(substr(g.code, length(:prefix::text) + 1)::bigint), 0)
   from given g where substr(g.code, length(:prefix::text) + 1) ~ '^[0-9]{1,15}$') as earlier
from unnest(:collections::text[]) as c(collection_name)
cross join lateral (
  select b.species_code, b.composition_level, b.dot_origin, b.governance_role
  from birth_registry b
  where b.collection_name = c.collection_name and b.species_code is not null
  order by b.id
  limit 1
) as p
order by c.collection_name

-- name: insertBirths
-- Inserts births, some of them with the time of a client whose clock is wrong: :seconds is the difference
-- between born_at and now. An empty text means null.
with born as (
  insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, born_at, governance_role)
  select n.code, n.collection_name, nullif(n.species_code, ''), nullif(n.composition_level, ''), nullif(n.dot_origin, ''),
    clock_timestamp() + make_interval(secs => n.seconds), nullif(n.governance_role, '')
  from unnest(:codes::text[], :collections::text[], :species::text[], :levels::text[], :origins::text[], :seconds::int4[], :roles::text[])
    as n(code, collection_name, species_code, composition_level, dot_origin, seconds, governance_role)
  returning id
)
select count(*) as rows from born

-- name: changeBirths
-- Changes births in place.
with changed as (
  update birth_registry b
  set certified = not coalesce(b.certified, false), certified_at = case when coalesce(b.certified, false) then null else now() end
  from unnest(:collections::text[], :codes::text[]) as n(collection_name, code)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from changed

-- name: retireBirths
with retired as (
  update birth_registry b
  set status = 'retired'
  from unnest(:collections::text[], :codes::text[]) as n(collection_name, code)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from retired

-- name: deleteBirths
with deleted as (
  delete from birth_registry b
  using unnest(:collections::text[], :codes::text[]) as n(collection_name, code)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from deleted

-- name: moveBirths
-- Moves births from one collection to another.
with moved as (
  update birth_registry b
  set collection_name = n.target
  from unnest(:collections::text[], :codes::text[], :targets::text[]) as n(collection_name, code, target)
  where b.collection_name = n.collection_name and b.entity_code = n.code
  returning b.id
)
select count(*) as rows from moved

-- name: noteChanges
-- Writes the change-log rows that a host writes about its own changes.
with noted as (
  insert into registry_changelog (entity_type, entity_code, action, alert_level, resolved, changed_by)
  select n.collection_name, n.code, n.action, 'none', true, 'demo_traffic'
  from unnest(:collections::text[], :codes::text[], :actions::text[]) as n(collection_name, code, action)
  returning id
)
select count(*) as rows from noted

-- name: changeOwners
-- Replaces the accountable owner of each of these collections in a scope.
with wanted as (
  select distinct on (n.collection_name, n.scope) n.collection_name, n.scope, n.owner
  from unnest(:collections::text[], :scopes::text[], :owners::text[]) with ordinality as n(collection_name, scope, owner, place)
  order by n.collection_name, n.scope, n.place desc
),
former as (
  update governance_object_ownership o
  set lifecycle_status = 'superseded', effective_to = greatest(clock_timestamp(), o.effective_from + interval '1 microsecond')
  from wanted w
  where o.object_type = 'collection' and o.object_ref = w.collection_name and o.scope = w.scope
    and o.owner_kind = 'accountable' and o.lifecycle_status = 'active' and o.owner_gov_code <> w.owner
  returning o.id, o.object_ref, o.scope, o.is_inherited_anchor, o.approval_ref, o.audit_ref, o.rollback_ref, o.source_law_ref,
    o.source_design_ref
),
made as (
  insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, is_inherited_anchor,
    approval_ref, audit_ref, rollback_ref, source_law_ref, source_design_ref, supersedes_id)
  select 'collection', f.object_ref, f.scope, 'accountable', w.owner, f.is_inherited_anchor, f.approval_ref, f.audit_ref,
    f.rollback_ref, f.source_law_ref, f.source_design_ref, f.id
  from former f
  join wanted w on w.collection_name = f.object_ref and w.scope = f.scope
  returning id
)
select count(*) as rows from made

-- name: changeRules
-- Changes the validity (ttl) of verdicts of these classes by :hours hours; the minimum is one hour.
with edited as (
  update coverage_profile p
  set ttl = greatest(p.ttl + make_interval(hours => n.hours), interval '1 hour')
  from (
    select w.class_pattern, sum(w.hours)::integer as hours
    from unnest(:patterns::text[], :hours::int4[]) as w(class_pattern, hours)
    group by w.class_pattern
  ) as n
  where p.class_pattern = n.class_pattern
  returning p.profile_code
)
select count(*) as rows from edited
