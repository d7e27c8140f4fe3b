-- use: ../../inventory/snapshot/fingerprint/row.sql

-- fragment: asked
-- The births of the filter. A null condition matches all. Whether the class is the right one is known where the
-- class map is; the lifecycle of a group is that of its members where a registry says it.
{{keyed}}
  and (:collection::text is null or b.collection_name::text = :collection::text)
  and (:status::text is null or b.status::text = :status::text)
  and (not :by_lifecycle::boolean
    or case when :inherits::boolean then b.status::text else coalesce(m.status, b.status::text) end is not distinct from :lifecycle_status::text)

-- name: pageBirths
-- Births after an id, in the order of their ids: one page through the primary key, whatever the size of the
-- table.
-- nullable: species_code, status, member_status, :collection, :status, :lifecycle_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select b.id::bigint as id, b.collection_name::text as collection_name, b.entity_code::text as entity_code, b.species_code::text as species_code,
  b.status::text as status, b.born_at::timestamptz as born_at, m.status as member_status
from birth_registry b
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.id > :after::bigint and {{asked}}
order by b.id
limit :limit::bigint

-- name: countBirths
-- How many births there are of each place: what determines a group. Only the collections :individual have
-- members whose status counts.
-- nullable: species_code, status, member_status, :collection, :status, :lifecycle_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status, null::text as member_status,
  count(*) as births
from birth_registry b
cross join (select null::text as status) as m
where b.collection_name <> all (:individual::text[]) and {{asked}}
group by b.collection_name, b.species_code, b.status
union all
select b.collection_name::text, b.species_code::text, b.status::text, m.status, count(*)
from birth_registry b
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.collection_name = any (:individual::text[]) and {{asked}}
group by b.collection_name, b.species_code, b.status, m.status

-- name: readOwners
-- The accountable owners of groups, per scope.
-- nullable: owner_scope
select g.inventory_key, g.scope, g.owner_scope
from governance_group g
where g.inventory_key = any (:inventory_keys::text[])
order by g.inventory_key, g.scope

-- name: readOwnRows
-- Which of these objects have rows of their own, with the owner in each scope.
-- nullable: owner_scope
select o.object_key, k.no::integer as no, o.scope, o.owner_scope
from unnest(:collections::text[], :codes::text[]) with ordinality as k(collection_name, entity_code, no)
join governance_candidate_object o on o.object_key = gcos_object_key(k.collection_name, k.entity_code) and o.row_state = 'active'
order by k.no, o.scope

-- name: pageGroups
-- Inventory groups after a key.
-- nullable: axis_family, lifecycle_status, unresolved_reason, member_count, grain_count, :inventory_key, :collection, :object_class, :owner
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  i.member_count, i.grain_count, i.recompute_needed, i.first_seen_at
from governance_inventory i
where i.inventory_key > :after::text
  and (:inventory_key::text is null or i.inventory_key = :inventory_key::text)
  and (:collection::text is null or i.source_registry = :collection::text)
  and (:object_class::text is null or i.object_class = :object_class::text)
  and (:owner::text is null or exists (
    select from governance_group g where g.inventory_key = i.inventory_key and g.owner_scope = :owner::text))
order by i.inventory_key
limit :limit::bigint

-- name: hasStatus
-- Whether any birth has the status. Only one that does not exist makes it read all births.
select exists (select from birth_registry b where b.status::text = :status::text) as found

-- name: listDimensions
-- What a filter may name.
-- nullable: lifecycle_status
select distinct i.source_registry, i.object_class, i.lifecycle_status from governance_inventory i
