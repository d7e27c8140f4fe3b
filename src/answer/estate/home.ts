// Owns the statements over the tables of a home. Other hosts do not have these tables, so the statements are
// not among those that are checked against every installation.
import { statement } from '../../db/index.js';

/** A source, with the owner that most of its objects name. */
export const readEstate = statement<
  { readonly name: string },
  { readonly source_id: bigint; readonly read_at: string | null; readonly owner: string | null }
>({
  name: 'estate.source',
  sql: `select s.source_id, s.read_at::text as read_at, (
    select o.links ->> 'owner' from gcos_source_object o
    where o.source_id = s.source_id and o.status = 'active' and o.links ? 'owner'
    group by 1 order by count(*) desc, 1 limit 1) as owner
  from gcos_source s where s.name = $1::text and s.status = 'active'`,
  params: ['name'],
  nullable: ['read_at', 'owner'],
});

export const countClasses = statement<
  { readonly sourceId: bigint },
  { readonly object_class: string; readonly objects: bigint }
>({
  name: 'estate.classes',
  sql: `select o.object_class, count(*) as objects from gcos_source_object o
  where o.source_id = $1::bigint and o.status = 'active' group by 1 order by 1`,
  params: ['sourceId'],
});

/** Each unit of a source with what the last scan found missing, scope by scope. */
export const readUnitGaps = statement<
  { readonly sourceId: bigint },
  {
    readonly object_class: string;
    readonly code: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly scope: string;
    readonly kind: string | null;
    readonly comment: string | null;
    readonly category: string | null;
    readonly note_at: string | null;
    readonly missing: string;
    readonly conflicting: string;
  }
>({
  name: 'estate.gaps',
  sql: `select o.object_class, o.code, o.parent_class, o.parent_code, c.scope, o.attributes ->> 'kind' as kind,
    o.attributes ->> 'comment' as comment, o.attributes ->> 'personal' as category,
    (o.attributes -> 'note_at')::text as note_at, l.missing::text as missing,
    l.conflicting::text as conflicting
  from gcos_source_collection k
  join governance_candidate_object c on c.collection_name = k.collection_name
  join gcos_source_object o on o.source_id = k.source_id and o.object_class = k.object_class and o.code = c.entity_code
  cross join lateral (
    select coalesce(jsonb_agg(e.link order by e.link) filter (where e.found ->> 'state' = 'missing'), '[]') as missing,
      coalesce(jsonb_agg(e.link order by e.link) filter (where e.found ->> 'state' = 'conflict'), '[]') as conflicting
    from jsonb_each(c.coverage_evidence -> 'links') as e(link, found)) as l
  where k.source_id = $1::bigint and o.status = 'active' and c.row_state = 'active' and c.weight = 1
    and c.candidate_verdict = 'relevant' and c.coverage_outcome = 'orphan'
  order by o.object_class, o.code collate "C", c.scope`,
  params: ['sourceId'],
  nullable: ['parent_class', 'parent_code', 'kind', 'comment', 'category', 'note_at'],
});

/** The units of a source: what the gate can be asked about. */
export const readUnits = statement<
  { readonly sourceId: bigint },
  { readonly object_class: string; readonly collection: string; readonly code: string }
>({
  name: 'estate.units',
  sql: `select distinct o.object_class, k.collection_name as collection, o.code
  from gcos_source_collection k
  join governance_candidate_object c on c.collection_name = k.collection_name
  join gcos_source_object o on o.source_id = k.source_id and o.object_class = k.object_class and o.code = c.entity_code
  where k.source_id = $1::bigint and o.status = 'active' and c.row_state = 'active' and c.weight = 1
  order by 1, 3`,
  params: ['sourceId'],
});

/** What the source says that it did not read. */
export const readNotRead = statement<
  { readonly sourceId: bigint },
  { readonly part: string; readonly reason: string }
>({
  name: 'estate.notRead',
  sql: `select each.part, each.reason from gcos_source_object o
  cross join lateral jsonb_to_recordset(o.attributes -> 'not_read') as each(part text, reason text)
  where o.source_id = $1::bigint and o.object_class = 'directus_project' and o.status = 'active' order by 1`,
  params: ['sourceId'],
});
