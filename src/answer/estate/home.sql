-- name: readEstate
-- A source, with the owner that most of its objects name.
-- nullable: read_at, owner
select s.source_id, s.read_at::text as read_at, (
  select o.links ->> 'owner' from gcos_source_object o
  where o.source_id = s.source_id and o.status = 'active' and o.links ? 'owner'
  group by 1 order by count(*) desc, 1 limit 1) as owner
from gcos_source s where s.name = :name::text and s.status = 'active'

-- name: countClasses
select o.object_class, count(*) as objects from gcos_source_object o
where o.source_id = :source_id::bigint and o.status = 'active' group by 1 order by 1

-- name: readUnitGaps
-- Each unit of a source with what the last scan found missing, or accepted by an exception, scope by scope.
-- nullable: parent_class, parent_code, kind, comment, category, note_at
select o.object_class, o.code, o.parent_class, o.parent_code, c.scope, o.attributes ->> 'kind' as kind,
  o.attributes ->> 'comment' as comment, o.attributes ->> 'personal' as category,
  (o.attributes -> 'note_at')::text as note_at, k.collection_name as collection,
  l.missing::text as missing, l.accepted::text as accepted, l.conflicting::text as conflicting
from gcos_source_collection k
join governance_candidate_object c on c.collection_name = k.collection_name
join gcos_source_object o on o.source_id = k.source_id and o.object_class = k.object_class and o.code = c.entity_code
cross join lateral (
  select coalesce(jsonb_agg(e.link order by e.link) filter (where e.found ->> 'state' = 'missing'), '[]') as missing,
    coalesce(jsonb_agg(e.link order by e.link) filter (where e.found ->> 'state' = 'excepted'), '[]') as accepted,
    coalesce(jsonb_agg(e.link order by e.link) filter (where e.found ->> 'state' = 'conflict'
      or e.found ->> 'state' = 'missing' and o.attributes -> 'link_conflicts' ? e.link), '[]') as conflicting
  from jsonb_each(c.coverage_evidence -> 'links') as e(link, found)) as l
where k.source_id = :source_id::bigint and o.status = 'active' and c.row_state = 'active' and c.weight = 1
  and c.candidate_verdict = 'relevant' and c.coverage_outcome in ('orphan', 'exception')
order by o.object_class, o.code collate "C", c.scope

-- name: readUnits
-- The units of a source: what the gate can be asked about.
select distinct o.object_class, k.collection_name as collection, o.code
from gcos_source_collection k
join governance_candidate_object c on c.collection_name = k.collection_name
join gcos_source_object o on o.source_id = k.source_id and o.object_class = k.object_class and o.code = c.entity_code
where k.source_id = :source_id::bigint and o.status = 'active' and c.row_state = 'active' and c.weight = 1
order by 1, 3

-- name: readNotRead
-- What the source says that it did not read.
select each.part, each.reason from gcos_source_object o
cross join lateral jsonb_to_recordset(o.attributes -> 'not_read') as each(part text, reason text)
where o.source_id = :source_id::bigint and o.object_class = 'directus_project' and o.status = 'active' order by 1
