-- The rows of a registry that are not as they were: $2 names the columns that tell rows apart, $3 those that count, $4 those that say
-- whom a row concerns. Columns a host lacks are null. A key that is not unique is one row with the contents of all.
with now as (
  select r.row_key, encode(sha256(convert_to(jsonb_agg(r.content order by r.content::text)::text, 'UTF8')), 'hex') as content_hash,
    jsonb_agg(distinct r.facts) as facts
  from (
    select
      (select jsonb_agg(j.fields -> k.name order by k.n) from unnest($2::text[]) with ordinality as k(name, n))::text as row_key,
      (select jsonb_object_agg(k.name, j.fields -> k.name) from unnest($3::text[]) as k(name)) as content,
      (select jsonb_object_agg(k.name, j.fields -> k.name) from unnest($4::text[]) as k(name)) as facts
    from {{table}} t
    cross join lateral (select to_jsonb(t) as fields offset 0) as j
    {{where}}
  ) as r
  group by r.row_key
),
before as (
  select w.row_key, w.content_hash, w.facts
  from gov_handoff_watch w
  where w.source = $1::text
)
select coalesce(n.row_key, b.row_key) as row_key, n.content_hash, b.facts as facts_before, n.facts as facts_after
from now n
full join before b on b.row_key = n.row_key
where n.content_hash is distinct from b.content_hash
order by 1
