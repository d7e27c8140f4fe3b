-- name: findTables
-- The optional dimension tables that exist, are complete and are readable.
-- nullable: usable
select t.relation,
  count(a.attname) = cardinality(t.columns) and bool_and(has_table_privilege(to_regclass(t.relation), 'select')) as usable
from (
  values
    ('axis_registry', array['axis_code', 'axis_family', 'object_class', 'status']),
    ('governance_responsibility_scope', array['scope_code', 'status'])
) as t(relation, columns)
left join pg_attribute a
  on a.attrelid = to_regclass(t.relation) and a.attname = any (t.columns) and a.attnum > 0 and not a.attisdropped
group by t.relation, t.columns

-- name: readClasses
-- The possible classes of births, by collection and species, in catalogue order.
-- nullable: registry, species_code
select m.collection_name, m.species_code, m.object_class, m.registry
from gcos_class_map() m
order by m.code collate "C", m.choice

-- name: readRegistries
-- For the member registries named in the catalogue: whether they exist here, which column identifies
-- members, and whether they have a status. The code of a member is a unique column `code`, otherwise the
-- single column of a textual primary key.
-- nullable: code_column
with registry as (
  select n.registry, c.oid, c.relname
  from unnest(:registries::text[]) as n(registry)
  left join pg_class c on c.relname = n.registry
    and c.relnamespace = to_regnamespace(quote_ident(:schema::text))
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
),
unique_column as (
  select r.oid, a.attname, i.indisprimary
  from registry r
  join pg_index i on i.indrelid = r.oid and i.indisunique and i.indisvalid and i.indnkeyatts = 1
    and i.indpred is null and i.indexprs is null
  join pg_attribute a on a.attrelid = r.oid and a.attnum = i.indkey[0]
  join pg_type t on t.oid = a.atttypid and t.typcategory = 'S'
  where a.attname = 'code' or i.indisprimary
)
select r.registry, r.oid is not null as present, coalesce(has_table_privilege(r.oid, 'select'), false) as readable,
  (select u.attname::text from unique_column u where u.oid = r.oid order by u.attname = 'code' desc, u.attname limit 1)
    as code_column,
  exists (
    select from pg_attribute a
    where a.attrelid = r.oid and a.attname = 'status' and a.attnum > 0 and not a.attisdropped) as has_status
from registry r
order by r.registry collate "C"

-- name: readAxes
-- The first axis family of each class, by code: axes of the class before axes for any class.
select c.object_class, a.axis_family
from unnest(:classes::text[]) as c(object_class)
cross join lateral (
  select r.axis_family::text as axis_family
  from axis_registry r
  where r.status = 'active' and (r.object_class = c.object_class or r.object_class is null)
    and r.axis_family::text <> ''
  order by r.object_class is null, r.axis_code::text collate "C"
  limit 1
) as a

-- name: readAxisClassRows
-- The classes among :classes that an active axis names.
select distinct r.object_class::text as object_class
from axis_registry r
where r.status = 'active' and r.object_class = any (:classes::text[])

-- name: readPivots
-- The first family by which a pivot groups each class, by code. Depending on the host, a pivot names a
-- class, a collection or neither, so both are looked up by name.
with pivot as materialized (
  select d.code::text as code, d.group_spec::jsonb -> 'dims' ->> 0 as axis_family, j.fields ->> 'object_class' as object_class,
    j.fields ->> 'source_collection' as source_collection
  from pivot_definitions d
  cross join lateral (select to_jsonb(d) as fields offset 0) as j
  where coalesce(j.fields ->> 'status', 'active') = 'active' and nullif(d.group_spec::jsonb -> 'dims' ->> 0, '') is not null
),
class as (
  select u.object_class, u.collection_name
  from unnest(:classes::text[], :collections::text[]) as u(object_class, collection_name)
)
select distinct on (c.object_class) c.object_class, p.axis_family
from class c
join pivot p on p.object_class = c.object_class or (p.object_class is null and p.source_collection = c.collection_name)
order by c.object_class, p.code collate "C"

-- name: readScopes
select s.scope_code::text as scope
from governance_responsibility_scope s
where s.status = 'active'
order by s.scope_code::text collate "C"

-- name: readInventoryRows
-- All inventory groups with their dimensions.
-- nullable: axis_family, lifecycle_status, unresolved_reason, member_count
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  i.member_count
from governance_inventory i
order by i.inventory_key collate "C"

-- name: upsertInventory
-- Writes the inventory groups that are new or changed. Unchanged rows are not touched: the tail updates
-- the running fingerprints all the time, and a capture sees the table as of its start. Ordered by key, so
-- that two writers wait for each other and never deadlock.
-- nullable: :axis_families[], :lifecycle_statuses[], :reasons[]
insert into governance_inventory (
  inventory_key, object_class, source_registry, axis_family, lifecycle_status, resolved, unresolved_reason, inherits,
  first_seen_at)
select g.inventory_key, g.object_class, g.source_registry, g.axis_family, g.lifecycle_status, g.unresolved_reason is null,
  g.unresolved_reason, g.inherits, :at::timestamptz
from unnest(:keys::text[], :object_classes::text[], :source_registries::text[], :axis_families::text[], :lifecycle_statuses::text[], :reasons::text[], :inherits::boolean[])
  as g(inventory_key, object_class, source_registry, axis_family, lifecycle_status, unresolved_reason, inherits)
where not exists (
  select from governance_inventory i
  where i.inventory_key = g.inventory_key and i.inherits = g.inherits
    and i.unresolved_reason is not distinct from g.unresolved_reason)
order by g.inventory_key collate "C"
on conflict (inventory_key) do update
set resolved = excluded.resolved, unresolved_reason = excluded.unresolved_reason, inherits = excluded.inherits
returning (xmax = 0) as created

-- name: upsertGroups
-- One group per inventory group and scope; a new owner gives a new key. Unchanged groups are not touched.
-- nullable: :owners[], :anchors[]
insert into governance_group (group_key, inventory_key, scope, owner_scope, anchor)
select g.group_key, g.inventory_key, g.scope, g.owner_scope, g.anchor
from unnest(:keys::text[], :inventory_keys::text[], :scopes::text[], :owners::text[], :anchors::text[])
  as g(group_key, inventory_key, scope, owner_scope, anchor)
where not exists (
  select from governance_group s where s.group_key = g.group_key and s.anchor is not distinct from g.anchor)
order by g.inventory_key collate "C", g.scope collate "C"
on conflict (inventory_key, scope) do update
set group_key = excluded.group_key, owner_scope = excluded.owner_scope, anchor = excluded.anchor
returning (xmax = 0) as created
