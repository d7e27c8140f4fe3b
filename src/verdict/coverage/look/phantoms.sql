-- What ownership in force at $5 names and nobody has: collections that are neither registered nor born into, classes that the catalogue
-- ($1) does not know, objects of classes ($2 to $4: class, collection, whether it inherits) that are in no inventory. Objects of
-- classes that do not inherit all have a row; others are looked for among the births.
with reference as materialized (
  select o.object_type::text as object_type, o.object_ref::text as object_ref, o.scope::text as scope
  from governance_object_ownership o
  where o.lifecycle_status = 'active' and (o.effective_to is null or o.effective_to > $5::timestamptz)
),
place as materialized (
  select p.object_class, p.collection_name, p.inherits
  from unnest($2::text[], $3::text[], $4::boolean[]) as p(object_class, collection_name, inherits)
),
object as materialized (
  select distinct r.object_type, r.object_ref, p.collection_name, p.inherits
  from reference r
  join place p on p.object_class = r.object_type
),
with_row as materialized (
  select distinct o.object_type, o.object_ref
  from object o
  join governance_candidate_object c on c.collection_name = o.collection_name and c.entity_code = o.object_ref and c.row_state = 'active'
),
rowless as materialized (
  select o.object_type, o.object_ref, o.collection_name
  from object o
  where o.inherits and not exists (select from with_row w where w.object_type = o.object_type and w.object_ref = o.object_ref)
),
born as materialized (
  select distinct l.object_type, l.object_ref
  from rowless l
  join birth_registry b on b.collection_name = l.collection_name and b.entity_code = l.object_ref
)
select r.object_type, r.object_ref, r.scope
from reference r
where case r.object_type
    when 'collection' then
      not exists (select from collection_registry c where c.collection_name = r.object_ref)
      and not exists (select from governance_inventory i where i.source_registry = r.object_ref and coalesce(i.member_count, 1) > 0)
    when 'class' then r.object_ref <> all ($1::text[])
    else not exists (select from with_row w where w.object_type = r.object_type and w.object_ref = r.object_ref)
      and not exists (select from born b where b.object_type = r.object_type and b.object_ref = r.object_ref)
  end
order by 1, 2, 3
