-- name: dumpRelations
-- Tables, views and sequences: kind, owner, persistence, row security; a view's definition.
select
  'relation ' || c.relname as object,
  0 as rank,
  format('%s; owner %s; persistence %s; row security %s%s%s',
    case c.relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' when 'f' then 'foreign table' else c.relkind::text end,
    pg_get_userbyid(c.relowner), c.relpersistence,
    case when c.relforcerowsecurity then 'forced' when c.relrowsecurity then 'on' else 'off' end,
    coalesce('; options ' || array_to_string(c.reloptions, ','), ''),
    case when c.relkind in ('v', 'm') then '; as ' || regexp_replace(pg_get_viewdef(c.oid), '\s+', ' ', 'g') else '' end) as line
from pg_class c
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')

-- name: dumpColumns
-- Columns in their order. NOT NULL is listed here because only newer servers also list it as a constraint.
select
  'relation ' || c.relname as object,
  1000 + a.attnum::integer as rank,
  concat_ws(' ', 'column', a.attname::text, format_type(a.atttypid, a.atttypmod),
    case when a.attcollation <> t.typcollation then 'collate ' || quote_ident(l.collname) end,
    case when a.attnotnull then 'not null' end,
    case when a.attidentity <> '' then 'identity ' || a.attidentity::text end,
    case when a.attgenerated <> '' then 'generated ' || a.attgenerated::text end,
    case when a.attstorage <> t.typstorage then 'storage ' || a.attstorage::text end,
    case when a.attstattarget > 0 then 'statistics ' || a.attstattarget::text end,
    case when d.oid is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as line
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_collation l on l.oid = a.attcollation
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relkind in ('r', 'p', 'v', 'm', 'f')

-- name: dumpConstraints
-- Constraints except NOT NULL, which only newer servers store as a constraint.
select
  'relation ' || c.relname as object,
  3000 as rank,
  format('constraint %I %s%s', k.conname, pg_get_constraintdef(k.oid), case when k.convalidated then '' else ' (not valid)' end) as line
from pg_constraint k
join pg_class c on c.oid = k.conrelid
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and k.contype <> 'n'

-- name: dumpIndexes
-- Indexes, including those of constraints.
select 'relation ' || c.relname as object, 4000 as rank, format('index %s%s%s', pg_get_indexdef(i.indexrelid),
  case when i.indisvalid then '' else '; not valid' end, case when i.indisreplident then '; replica identity' else '' end) as line
from pg_index i
join pg_class c on c.oid = i.indrelid
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))

-- name: dumpTriggers
-- User-defined triggers and whether they are enabled; row security policies; rewrite rules except those of
-- views.
select 'relation ' || c.relname as object, 5000 as rank, format('trigger %s; enabled %s', pg_get_triggerdef(g.oid), g.tgenabled) as line
from pg_trigger g
join pg_class c on c.oid = g.tgrelid
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and not g.tgisinternal
union all
select 'relation ' || p.tablename, 5100,
  format('policy %I %s for %s to %s using (%s) check (%s)', p.policyname, p.permissive, p.cmd, array_to_string(p.roles, ','), p.qual, p.with_check)
from pg_policies p
where p.schemaname = :schema::text
union all
select 'relation ' || r.tablename, 5200, 'rule ' || r.definition
from pg_rules r
where r.schemaname = :schema::text

-- name: dumpDetails
-- Other properties of a relation that DDL can change: its place in an inheritance or partition tree, its
-- replica identity, extended statistics, its publications, comments on it and its columns, and the parameters
-- and owner of a sequence.
select 'relation ' || c.relname as object, 6000 as rank,
  format('inherits %s%s', p.oid::regclass, coalesce(' ' || pg_get_expr(c.relpartbound, c.oid), '')) as line
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
join pg_class p on p.oid = i.inhparent
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
union all
select 'relation ' || c.relname, 6100, 'replica identity ' || c.relreplident::text
from pg_class c
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relkind in ('r', 'p') and c.relreplident <> 'd'
union all
select 'relation ' || c.relname, 6200, pg_get_statisticsobjdef(s.oid)
from pg_statistic_ext s
join pg_class c on c.oid = s.stxrelid
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
union all
select 'relation ' || p.tablename, 6300, 'published by ' || p.pubname
from pg_publication_tables p
where p.schemaname = :schema::text
union all
select 'relation ' || c.relname, 6400 + d.objsubid, format('comment%s %s',
  case when d.objsubid = 0 then '' else ' on column ' || d.objsubid end, to_json(d.description)::text)
from pg_description d
join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
union all
select 'relation ' || c.relname, 6000, format('sequence %s start %s increment %s from %s to %s cache %s%s%s',
  format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache,
  case when s.seqcycle then ' cycle' else '' end,
  coalesce((select format(' owned by %s.%s', o.oid::regclass, a.attname)
    from pg_depend k
    join pg_class o on o.oid = k.refobjid
    join pg_attribute a on a.attrelid = o.oid and a.attnum = k.refobjsubid
    where k.classid = 'pg_class'::regclass and k.objid = c.oid and k.refclassid = 'pg_class'::regclass and k.deptype in ('a', 'i')), ''))
from pg_sequence s
join pg_class c on c.oid = s.seqrelid
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))

-- name: dumpFunctions
-- Functions and procedures with their full text, on one line. Aggregates have no text; the dump shows their
-- signature.
select
  format('function %I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as object,
  0 as rank,
  format('owner %s; %s', pg_get_userbyid(p.proowner),
    case when p.prokind = 'a' then 'aggregate returning ' || format_type(p.prorettype, null)
      else to_json(pg_get_functiondef(p.oid))::text end) as line
from pg_proc p
where p.pronamespace = to_regnamespace(quote_ident(:schema::text))

-- name: dumpTypes
-- Enumerations, domains and composite types that are not a table's row type.
select
  'type ' || t.typname as object,
  0 as rank,
  format('%s; owner %s; %s', t.typtype, pg_get_userbyid(t.typowner),
    case t.typtype
      when 'e' then (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
      when 'd' then concat_ws(' ', format_type(t.typbasetype, t.typtypmod), case when t.typnotnull then 'not null' end, t.typdefault,
        (select string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname) from pg_constraint k where k.contypid = t.oid and k.contype <> 'n'))
      when 'c' then (select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)
      else '' end) as line
from pg_type t
left join pg_class c on c.oid = t.typrelid
where t.typnamespace = to_regnamespace(quote_ident(:schema::text))
  and t.typtype in ('e', 'd', 'c', 'r') and (c.oid is null or c.relkind = 'c')

-- name: dumpPrivileges
-- The privileges in effect. An object without grants shows the built-in defaults, so that a grant followed by
-- its revoke leaves no difference in the dump.
with acl (object, rank, privileges) as (
  select 'schema ' || n.nspname, 100, coalesce(n.nspacl, acldefault('n', n.nspowner))
  from pg_namespace n where n.nspname = :schema::text
  union all
  select 'relation ' || c.relname, 9000, coalesce(c.relacl, acldefault(case when c.relkind = 'S' then 's'::"char" else 'r'::"char" end, c.relowner))
  from pg_class c
  where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  union all
  select format('relation %s', c.relname), 9000 + a.attnum::integer, a.attacl
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attacl is not null and not a.attisdropped
  where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and a.attacl <> '{}'
  union all
  select format('function %I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)), 100, coalesce(p.proacl, acldefault('f', p.proowner))
  from pg_proc p where p.pronamespace = to_regnamespace(quote_ident(:schema::text))
  union all
  select 'type ' || t.typname, 100, coalesce(t.typacl, acldefault('T', t.typowner))
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = to_regnamespace(quote_ident(:schema::text))
    and t.typtype in ('e', 'd', 'c', 'r') and (c.oid is null or c.relkind = 'c')
  union all
  select format('default privileges of %s on %s', pg_get_userbyid(d.defaclrole), d.defaclobjtype), 100, d.defaclacl
  from pg_default_acl d where d.defaclnamespace = to_regnamespace(quote_ident(:schema::text)) or d.defaclnamespace = 0
)
select
  acl.object,
  acl.rank,
  format('privilege %s: %s%s%s', coalesce(r.rolname, 'PUBLIC'),
    string_agg(x.privilege_type, ', ' order by x.privilege_type),
    case when x.is_grantable then ' with grant option' else '' end,
    case when acl.rank > 9000 then format(' (column %s)', acl.rank - 9000) else '' end) as line
from acl
cross join lateral aclexplode(acl.privileges) as x
left join pg_roles r on r.oid = x.grantee
group by acl.object, acl.rank, r.rolname, x.is_grantable
