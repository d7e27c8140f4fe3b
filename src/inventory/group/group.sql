-- name: readClasses
-- The possible classes of births, by collection and species, in catalogue order.
-- nullable: registry, species_code
select m.collection_name, m.species_code, m.object_class, m.registry
from gcos_class_map() m
order by m.code collate "C", m.choice

-- name: readRegistries
-- For the member registries named in the catalogue: whether they exist here, which column identifies
-- members, whether they have a status, and the columns of :migration_columns and :supersedes_columns, the
-- first that exists of each. The code of a member is a unique column `code`, otherwise the single column of a
-- textual primary key; where a source lists the members, it is the column `code` of a view. `refers_to` is
-- the column to which a reference to another member refers: that of its foreign key, otherwise the code if
-- the reference is a text, otherwise the primary key.
-- nullable: code_column, migration_column, supersedes_column, refers_to
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
),
optional_column as (
  select distinct on (r.oid, n.kind) r.oid, n.kind, a.attname::text as name, a.attnum, t.typcategory = 'S' as is_text
  from registry r
  cross join (
    select 'migration' as kind, c.name, c.no from unnest(:migration_columns::text[]) with ordinality as c(name, no)
    union all
    select 'supersedes', c.name, c.no from unnest(:supersedes_columns::text[]) with ordinality as c(name, no)
  ) as n
  join pg_attribute a on a.attrelid = r.oid and a.attname = n.name and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  order by r.oid, n.kind, n.no
)
select r.registry, r.oid is not null as present, coalesce(has_table_privilege(r.oid, 'select'), false) as readable,
  coalesce(k.name, l.name) as code_column,
  exists (
    select from pg_attribute a
    where a.attrelid = r.oid and a.attname = 'status' and a.attnum > 0 and not a.attisdropped) as has_status,
  m.name as migration_column, s.name as supersedes_column,
  coalesce((
      select a.attname::text
      from pg_constraint f
      join pg_attribute a on a.attrelid = f.confrelid and a.attnum = f.confkey[1]
      where f.conrelid = r.oid and f.confrelid = r.oid and f.contype = 'f' and f.conkey = array[s.attnum]
      limit 1),
    case when s.is_text then k.name else (
      select a.attname::text
      from pg_index i
      join pg_attribute a on a.attrelid = r.oid and a.attnum = i.indkey[0]
      where i.indrelid = r.oid and i.indisprimary and i.indnkeyatts = 1) end) as refers_to
from registry r
left join lateral (
  select u.attname::text as name from unique_column u where u.oid = r.oid order by u.attname = 'code' desc, u.attname limit 1
) as k on true
left join lateral (
  -- A view over the objects of all sources, in which source, class and code are unique.
  select 'code'::text as name
  from pg_rewrite w
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_class'::regclass
    and d.refobjid = to_regclass(format('%I.gcos_source_object', :schema::text))
  where w.ev_class = r.oid
  limit 1
) as l on true
left join optional_column m on m.oid = r.oid and m.kind = 'migration'
left join optional_column s on s.oid = r.oid and s.kind = 'supersedes'
order by r.registry collate "C"

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
