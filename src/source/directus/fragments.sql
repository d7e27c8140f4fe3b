-- Fragments that the statements of a Directus project share. INVARIANT: the search path of the transaction is
-- pg_catalog alone, so that nothing of the estate stands in for a function or an operator.

-- fragment: named
-- The code of row `b`: names need not be unique in Directus, so a second row of a name gets its id.
case when b.base = '' or b.base ~ ' \([0-9a-f-]{36}\)$' or count(*) over (partition by b.base) > 1 then ltrim(b.base || ' (' || b.id || ')')
    else b.base end

-- fragment: relation
relation as materialized (
  select c.oid, c.relname::text as name, case c.relkind when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view'
      when 'm' then 'materialized_view' else 'foreign_table' end as kind
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_depend e on e.classid = 'pg_class'::regclass and e.objid = c.oid and e.objsubid = 0
    and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'
  where n.nspname = :schema::text and c.relkind in ('r', 'p', 'v', 'm', 'f') and e.objid is null
    -- Also those that Directus has no row for: its administrators see every table.
    and not c.relispartition
)

-- fragment: collection
-- A collection without a relation is a folder. The notes of the folders above come nearest first.
collection as materialized (
  select coalesce(c.collection, r.name) as code, c.collection is not null as managed, c.note, c.hidden, c.singleton, c.accountability,
    c."group", c.versioning, coalesce(r.kind, 'folder') as kind,
    case when r.name is null then 'directus_folder' else 'directus_collection' end as class
  from {{collections}} c
  full join relation r on r.name = c.collection
  where not starts_with(coalesce(c.collection, r.name), 'directus_') and (c.collection is not null or r.kind = 'table')
),
above as (
  select c.code, 1 as depth, p.code as parent_code, p.class as parent_class, p.note, p."group"
  from collection c
  join collection p on p.code = c."group"
  union all
  select a.code, a.depth + 1, p.code, p.class, p.note, p."group"
  from above a
  join collection p on p.code = a."group"
  where a.depth < 20
),
placed as materialized (
  select a.code, max(a.depth) as depth, array_agg(a.note order by a.depth) filter (where a.note like '%@%') as notes,
    min(a.parent_code) filter (where a.depth = 1) as parent_code, min(a.parent_class) filter (where a.depth = 1) as parent_class
  from above a
  group by a.code
)

-- fragment: flow
flow as materialized (
  select b.*, {{named}} as code
  from (
    select f.id, left(f.name, 200) as base, f.description, f.status, f.trigger, f.accountability,
      coalesce(k.types, '{}') as types
    from {{flows}} f
    left join (
      select o.flow, array_agg(distinct o.type order by o.type) as types from {{operations}} o where o.flow is not null group by o.flow
    ) k on k.flow = f.id
  ) b
)

-- fragment: runs_code
('exec', 'run-script')

-- fragment: policy
-- The policies that hold permissions. Before Directus 11 roles do, and no role at all is the public.
policy as materialized (
  select b.*, {{named}} as code
  from (
    select p.id, case when p.name = '$t:public_label' then 'Public' else left(p.name, 200) end as base, p.description, p.enforce_tfa,
      p.admin_access, p.app_access, p.ip_access, coalesce(a.public, false) as public, coalesce(a.roles, 0) as roles,
      coalesce(a.users, 0) as users
    from {{policies}} p
    left join (
      select a.policy, bool_or(a.role is null and a."user" is null) as public, count(a.role) as roles, count(a."user") as users
      from {{access}} a
      group by a.policy
    ) a on a.policy = p.id
  ) b
),
role as materialized (
  select b.*, {{named}} as code
  from (
    select r.id, left(r.name, 200) as base, r.description, r.ip_access, r.enforce_tfa, r.admin_access, r.app_access, r.parent
    from {{roles}} r
  ) b
)
