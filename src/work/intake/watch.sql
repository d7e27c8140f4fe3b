-- name: findTables
-- The tables among :names that exist and are readable.
select t.name
from unnest(:names::text[]) as t(name)
where to_regclass(quote_ident(t.name)) is not null and has_table_privilege(to_regclass(quote_ident(t.name)), 'select')

-- name: memberColumns
-- The columns of member registries that are relevant for governance: the status, references, the tool that
-- executes a member, and its migration state and the member it replaces (:migrations, :replacements).
-- nullable: :migrations[], :replacements[]
select c.relname::text as registry, array_agg(a.attname::text order by a.attname) as columns
from unnest(:registries::text[], :migrations::text[], :replacements::text[]) as r(name, migration, replacement)
join pg_class c on c.oid = to_regclass(quote_ident(r.name))
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where a.attname in ('status', 'active', 'enabled') or a.attname like '%\_ref' or a.attname like '%\_dot'
  or a.attname in (r.migration, r.replacement)
group by c.relname

-- name: keepRows
insert into gov_intake_registry (source, row_key, content_hash, facts)
select u.source, u.row_key, u.content_hash, u.facts::jsonb
from unnest(:sources::text[], :keys::text[], :hashes::text[], :facts::text[]) as u(source, row_key, content_hash, facts)
order by u.source, u.row_key
on conflict (source, row_key) do update set content_hash = excluded.content_hash, facts = excluded.facts

-- name: forgetRows
delete from gov_intake_registry w
using unnest(:sources::text[], :keys::text[]) as u(source, row_key)
where w.source = u.source and w.row_key = u.row_key

-- name: diffWatched
-- The rows of a registry that changed. :key names the key columns, :content the relevant columns, :facts the
-- columns that name the affected groups. Columns that the host lacks are null. Rows with the same key count
-- as one row with the contents of all.
-- nullable: content_hash, facts_before, facts_after
-- part table: collection_registry
-- part where: 
with now as (
  select r.row_key, encode(sha256(convert_to(jsonb_agg(r.content order by r.content::text)::text, 'UTF8')), 'hex') as content_hash,
    jsonb_agg(distinct r.facts) as facts
  from (
    select
      (select jsonb_agg(j.fields -> k.name order by k.n) from unnest(:key::text[]) with ordinality as k(name, n))::text as row_key,
      (select jsonb_object_agg(k.name, j.fields -> k.name) from unnest(:content::text[]) as k(name)) as content,
      (select jsonb_object_agg(k.name, j.fields -> k.name) from unnest(:facts::text[]) as k(name)) as facts
    from {{table}} t
    cross join lateral (select to_jsonb(t) as fields offset 0) as j
    {{where}}
  ) as r
  group by r.row_key
),
before as (
  select w.row_key, w.content_hash, w.facts
  from gov_intake_registry w
  where w.source = :source::text
)
select coalesce(n.row_key, b.row_key) as row_key, n.content_hash, b.facts as facts_before, n.facts as facts_after
from now n
full join before b on b.row_key = n.row_key
where n.content_hash is distinct from b.content_hash
order by 1
