-- A new accountable owner of each of these collections in a scope, in the place of the former one.
with wanted as (
  select distinct on (n.collection_name, n.scope) n.collection_name, n.scope, n.owner
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as n(collection_name, scope, owner, place)
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
