-- use: ./fragments.sql

-- name: readRelations
-- Tables, partitions, views, materialized views and foreign tables. Sizes come from the statistics of the
-- catalog: asking for the exact size would wait for the locks of a migration. Rows and sizes are rounded to
-- one digit, and the time of the last analyze to its week, so that an estate in use does not change with
-- every read.
-- nullable: parent_class, parent_code, comment, parent_comment
with recursive {{relation}},
leaf (root, oid) as (
  select r.oid, r.oid from relation r where r.relkind = 'p'
  union all
  select l.root, h.inhrelid from leaf l join pg_inherits h on h.inhparent = l.oid
),
size as (
  select l.root as oid, sum(greatest(c.relpages, 0))::bigint as pages, count(*) - 1 as partitions,
    sum(case when c.relkind = 'p' then 0 when c.reltuples >= 0 then c.reltuples else pg_stat_get_live_tuples(c.oid) end)::numeric as tuples
  from leaf l
  join pg_class c on c.oid = l.oid
  group by l.root
),
measured as (
  select r.oid, coalesce(s.partitions, 0) as partitions, coalesce(s.pages, greatest(r.relpages, 0)::bigint) as pages,
    coalesce(s.tuples, case when r.reltuples >= 0 then r.reltuples else pg_stat_get_live_tuples(r.oid) end::numeric) as tuples,
    greatest(pg_stat_get_last_analyze_time(r.oid), pg_stat_get_last_autoanalyze_time(r.oid)) as analyzed_at
  from relation r
  left join size s on s.oid = r.oid
  where r.relkind in ('r', 'p', 'm')
),
primary_key as (
  select k.conrelid as oid, jsonb_agg(a.attname order by u.place) as columns
  from pg_constraint k
  cross join lateral unnest(k.conkey) with ordinality as u(attnum, place)
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum
  where k.contype = 'p'
  group by k.conrelid
),
-- A foreign key has an index if a complete one begins with its columns, in any order.
unindexed as (
  select k.conrelid as oid, jsonb_agg(jsonb_build_object('name', k.conname, 'columns', u.columns) order by k.conname) as keys
  from pg_constraint k
  cross join lateral (
    select jsonb_agg(a.attname order by c.place) as columns
    from unnest(k.conkey) with ordinality as c(attnum, place)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.attnum
  ) as u
  where k.contype = 'f' and k.conparentid = 0
    and not exists (
      select from pg_index i
      where i.indrelid = k.conrelid and i.indisvalid and i.indpred is null and i.indnkeyatts >= cardinality(k.conkey)
        and (string_to_array(i.indkey::text, ' ')::int2[])[1 : cardinality(k.conkey)] @> k.conkey)
  group by k.conrelid
),
-- An index of a partitioned table is not valid until all partitions have theirs: no index to build again.
invalid as (
  select i.indrelid as oid, jsonb_agg(format('%I.%I', n.nspname, c.relname) order by c.relname) as indexes
  from pg_index i
  join pg_class c on c.oid = i.indexrelid and c.relkind = 'i'
  join pg_namespace n on n.oid = c.relnamespace
  where not i.indisvalid
  group by i.indrelid
),
policy as (select p.polrelid as oid, count(*) as policies from pg_policy p group by p.polrelid)
select r.class, r.code, format('1259:%s', r.oid) as identity,
  case when not r.relispartition then 'schema' when above.relispartition then 'partition' else 'table' end as parent_class,
  case when r.relispartition then above.code else quote_ident(r.nspname) end as parent_code,
  r.comment, above.comment as parent_comment,
  (jsonb_build_object('name', r.relname, 'schema', r.nspname, 'owner', pg_get_userbyid(r.relowner),
    'owner_superuser', coalesce(o.rolsuper, false), 'public_privileges', r.public_privileges, 'public_schema', r.public_schema,
    'kind', case r.relkind when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view' when 'm' then 'materialized_view'
      else 'foreign_table' end)
  || case when m.oid is null then '{}' else jsonb_build_object(
    'rows_estimate', case when m.tuples < 1 then 0 else round(m.tuples, -floor(log(m.tuples))::integer)::bigint end,
    'size_bytes', case when m.pages = 0 then 0 else (
      select round(b.bytes, -floor(log(b.bytes))::integer)::bigint
      from (select m.pages::numeric * current_setting('block_size')::bigint as bytes) b) end,
    'analyzed', m.analyzed_at is not null or r.reltuples >= 0,
    'last_analyze_week', to_char(m.analyzed_at, 'IYYY-"W"IW'),
    'invalid_indexes', coalesce(v.indexes, '[]')) end
  || case when r.relkind not in ('r', 'p') then '{}' else jsonb_build_object(
    'persistence', case r.relpersistence when 'u' then 'unlogged' else 'permanent' end, 'partitions', m.partitions,
    'primary_key', k.columns, 'foreign_keys_without_index', coalesce(f.keys, '[]'),
    'row_security', r.relrowsecurity, 'row_security_forced', r.relforcerowsecurity, 'policies', coalesce(p.policies, 0)) end
  || case when r.relkind <> 'v' then '{}' else jsonb_build_object(
    'security_invoker', coalesce(r.reloptions && '{security_invoker=true,security_invoker=on}', false),
    'security_barrier', coalesce(r.reloptions && '{security_barrier=true,security_barrier=on}', false)) end
  || case when t.ftrelid is null then '{}' else jsonb_build_object('server', s.srvname, 'secret_options', own.secrets,
    'server_secret_options', server.secrets) end)::text as attributes
from relation r
left join pg_roles o on o.oid = r.relowner
left join pg_inherits h on h.inhrelid = r.oid and r.relispartition
left join relation above on above.oid = h.inhparent
left join measured m on m.oid = r.oid
left join primary_key k on k.oid = r.oid
left join unindexed f on f.oid = r.oid
left join invalid v on v.oid = r.oid
left join policy p on p.oid = r.oid
left join pg_foreign_table t on t.ftrelid = r.oid
left join pg_foreign_server s on s.oid = t.ftserver
cross join lateral (
  select coalesce(array_agg(split_part(o.option, '=', 1) order by o.option), '{}') as secrets
  from unnest(t.ftoptions) as o(option)
  where split_part(o.option, '=', 1) ~* '(pass(word|wd|phrase)?|secret|token|api_?key|private_?key)$'
) as own
cross join lateral (
  select coalesce(array_agg(split_part(o.option, '=', 1) order by o.option), '{}') as secrets
  from unnest(s.srvoptions) as o(option)
  where split_part(o.option, '=', 1) ~* '(pass(word|wd|phrase)?|secret|token|api_?key|private_?key)$'
) as server
order by r.relispartition, r.oid

-- name: readColumns
-- The columns of all relations but partitions, whose columns are those of their table. PUBLIC can read a
-- column if it may use the schema, and read the table or the column.
-- nullable: parent_class, parent_code, comment, parent_comment
with {{relation}}
select 'column' as class, r.code || '.' || quote_ident(a.attname) as code, format('1259:%s:%s', r.oid, a.attnum) as identity,
  r.class as parent_class, r.code as parent_code, d.description as comment,
  case when r.comment like '%@owner%' then r.comment end as parent_comment,
  jsonb_build_object('name', a.attname, 'schema', r.nspname, 'table', r.relname, 'type', format_type(a.atttypid, a.atttypmod),
    'type_name', t.typname, 'type_category', t.typcategory, 'not_null', a.attnotnull, 'has_default', a.atthasdef and a.attgenerated = '',
    'generated', case a.attgenerated when 's' then 'stored' when 'v' then 'virtual' end,
    'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
    'public_privileges', p.privileges, 'row_security', r.relrowsecurity,
    'public_readable', r.public_schema and ('SELECT' = any (r.public_privileges) or 'SELECT' = any (p.privileges)))::text as attributes
from relation r
join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = a.attrelid and d.objsubid = a.attnum
cross join lateral (
  select case when a.attacl is null then '{}' else
    array(select x.privilege_type from aclexplode(a.attacl) as x where x.grantee = 0 order by 1) end as privileges
) as p
where not r.relispartition
order by r.oid, a.attnum

-- name: readPolicies
-- The expressions of policies and triggers are told apart by a hash: the functions that print them lock the
-- relation.
-- nullable: parent_class, parent_code, comment, parent_comment
with {{relation}}
select 'policy' as class, i.identity as code, format('3256:%s', p.oid) as identity, r.class as parent_class, r.code as parent_code,
  d.description as comment, r.comment as parent_comment,
  jsonb_build_object('name', p.polname, 'schema', n.nspname, 'table', c.relname, 'permissive', p.polpermissive,
    'command', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    'roles', array(select case u.role when 0 then 'PUBLIC' else pg_get_userbyid(u.role)::text end from unnest(p.polroles) as u(role) order by 1),
    'definition_hash', to_hex(hashtextextended(concat_ws(' ', p.polqual::text, 'check', p.polwithcheck::text), 0)))::text as attributes
from pg_policy p
join pg_class c on c.oid = p.polrelid and c.relpersistence <> 't'
join pg_namespace n on n.oid = c.relnamespace and {{own_schema}}
cross join lateral pg_identify_object('pg_policy'::regclass, p.oid, 0) as i
left join relation r on r.oid = p.polrelid
left join pg_description d on d.classoid = 'pg_policy'::regclass and d.objoid = p.oid and d.objsubid = 0
where i.identity is not null
order by p.oid

-- name: readTriggers
-- Triggers that a partition has from its table are the table's.
-- nullable: parent_class, parent_code, comment, parent_comment
with {{relation}}
select 'trigger' as class, i.identity as code, format('2620:%s', g.oid) as identity, r.class as parent_class, r.code as parent_code,
  d.description as comment, r.comment as parent_comment,
  jsonb_build_object('name', g.tgname, 'schema', n.nspname, 'table', c.relname, 'function', f.identity,
    'function_security_definer', s.prosecdef,
    'timing', case when g.tgtype & 2 > 0 then 'before' when g.tgtype & 64 > 0 then 'instead of' else 'after' end,
    'events', array_remove(array[case when g.tgtype & 4 > 0 then 'insert' end, case when g.tgtype & 8 > 0 then 'delete' end,
      case when g.tgtype & 16 > 0 then 'update' end, case when g.tgtype & 32 > 0 then 'truncate' end], null),
    'for_each', case when g.tgtype & 1 > 0 then 'row' else 'statement' end, 'conditional', g.tgqual is not null,
    'definition_hash', to_hex(hashtextextended(concat_ws(' ', g.tgattr::text, encode(g.tgargs, 'hex'), g.tgqual::text), 0)),
    'enabled', case g.tgenabled when 'O' then 'origin' when 'D' then 'disabled' when 'R' then 'replica' else 'always' end)::text as attributes
from pg_trigger g
join pg_class c on c.oid = g.tgrelid and c.relpersistence <> 't'
join pg_namespace n on n.oid = c.relnamespace and {{own_schema}}
join pg_proc s on s.oid = g.tgfoid
cross join lateral pg_identify_object('pg_trigger'::regclass, g.oid, 0) as i
cross join lateral pg_identify_object('pg_proc'::regclass, g.tgfoid, 0) as f
left join relation r on r.oid = g.tgrelid
left join pg_description d on d.classoid = 'pg_trigger'::regclass and d.objoid = g.oid and d.objsubid = 0
left join pg_depend e on e.classid = 'pg_trigger'::regclass and e.objid = g.oid
  and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'
where not g.tgisinternal and g.tgparentid = 0 and e.objid is null and i.identity is not null
order by g.oid
