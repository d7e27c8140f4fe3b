-- What else DDL can change about a relation: its place in an inheritance or partition tree, its replica identity, extended
-- statistics, publications it belongs to, comments on it and its columns, and the parameters and owner of a sequence.
select 'relation ' || c.relname as object, 6000 as rank,
  format('inherits %s%s', p.oid::regclass, coalesce(' ' || pg_get_expr(c.relpartbound, c.oid), '')) as line
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
join pg_class p on p.oid = i.inhparent
where c.relnamespace = to_regnamespace(quote_ident($1::text))
union all
select 'relation ' || c.relname, 6100, 'replica identity ' || c.relreplident::text
from pg_class c
where c.relnamespace = to_regnamespace(quote_ident($1::text)) and c.relkind in ('r', 'p') and c.relreplident <> 'd'
union all
select 'relation ' || c.relname, 6200, pg_get_statisticsobjdef(s.oid)
from pg_statistic_ext s
join pg_class c on c.oid = s.stxrelid
where c.relnamespace = to_regnamespace(quote_ident($1::text))
union all
select 'relation ' || p.tablename, 6300, 'published by ' || p.pubname
from pg_publication_tables p
where p.schemaname = $1::text
union all
select 'relation ' || c.relname, 6400 + d.objsubid, format('comment%s %s',
  case when d.objsubid = 0 then '' else ' on column ' || d.objsubid end, to_json(d.description)::text)
from pg_description d
join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
where c.relnamespace = to_regnamespace(quote_ident($1::text)) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
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
where c.relnamespace = to_regnamespace(quote_ident($1::text))
