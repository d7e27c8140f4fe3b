// The resources `objects`, `collections` and `groups`: what is governed.
import { z } from '@hono/zod-openapi';
import type { GroupFilter, ObjectFilter } from '../index.js';
import { serverErrors } from './errors.js';
import { countsByTerm } from './ledger.js';
import { given, list, ofAll } from './list.js';
import { asOfParameter, count, counted, hrefOf, pin, pinnedFields } from './moment.js';
import { read } from './route.js';
import { id, time } from './schema.js';

const name = z.string().min(1).max(500);
const owners = z
  .array(z.object({ scope: z.string(), owner: z.string().nullable() }))
  .openapi({ description: 'the accountable owner in each scope; null: none, or more than one' });

const object = z
  .object({
    id: id.openapi({ description: 'of the birth; a key that was born twice has two lines' }),
    collection: z.string(),
    code: z.string(),
    species: z.string().nullable(),
    status: z.string().nullable().openapi({ description: 'of the birth' }),
    born_at: time,
    object_class: z.string(),
    axis_family: z.string().nullable(),
    lifecycle_status: z.string().nullable().openapi({ description: 'by its registry, or else of the birth' }),
    inventory_key: z.string(),
    represented_by: z
      .enum(['object', 'group'])
      .openapi({ description: 'whether verdicts of its own are kept, or its group answers for it' }),
    owners,
  })
  .openapi('ObjectLine');

const group = z
  .object({
    inventory_key: z.string(),
    collection: z.string(),
    object_class: z.string(),
    axis_family: z.string().nullable(),
    lifecycle_status: z.string().nullable(),
    unresolved: z
      .string()
      .nullable()
      .openapi({ description: 'why its class or registry cannot be resolved' }),
    inherits: z.boolean().openapi({ description: 'the group counts once, however many members it has' }),
    recorded_members: id.nullable().openapi({
      description: 'what the intake recorded last; the group itself has the count of this moment',
    }),
    recorded_units: id.nullable(),
    record_is_current: z.boolean(),
    first_seen_at: time,
    owners,
  })
  .openapi('GroupLine');

const explanation = z
  .object({ ...pinnedFields, history: z.string(), explanation: z.unknown() })
  .openapi('Explanation');

const change = z
  .object({
    history_id: id,
    row_id: id,
    group_key: z.string(),
    collection_name: z.string().nullable(),
    entity_code: z.string().nullable(),
    scope: z.string(),
    ruleset_version: z.string(),
    source_snapshot_ref: id,
    scan_time: time,
    verdict_before: z.string().nullable(),
    verdict_after: z.string(),
    outcome_before: z.string().nullable(),
    outcome_after: z.string().nullable(),
    verdict_line: z.int(),
    cause: z.string(),
    run_id: z.string(),
    recorded_at: time,
  })
  .openapi('VerdictChange');

const key = { collection: name, code: name };

/** A subject that does not exist has an explanation of why it is unknown; as an address it is missing. */
function requireKnownObject(known: boolean, text: string): void {
  if (!known) throw serverErrors.route_unknown(`there is no ${text}`);
}

export const objectRoutes = [
  list({
    path: '/objects',
    summary: 'Every birth, with its class, group and owners',
    name: 'objects',
    filters: {
      collection: name.optional(),
      status: name.optional().openapi({ description: 'the status of the birth' }),
      group: name.optional().openapi({ description: 'the key of an inventory group' }),
    },
    line: object,
    page: async (gcos, filter, place) => {
      const { objects, next } = await gcos.objects.list({ ...filter, ...place } as ObjectFilter);
      return { rows: objects, next };
    },
  }),
  list({
    path: '/groups',
    summary: 'Inventory groups: objects that share class, collection, axis family and lifecycle status',
    name: 'groups',
    filters: { collection: name.optional(), object_class: name.optional(), owner: name.optional() },
    line: group.extend({ href: z.string().openapi({ description: 'the group, with its counts' }) }),
    limits: ({ owner }) => given({ owner }),
    page: async (gcos, { object_class: objectClass, ...filter }, place) => {
      const asked = { ...filter, ...given({ objectClass }), ...place } as GroupFilter;
      const { groups, next } = await gcos.objects.groups(asked);
      const rows = groups.map((row) => ({
        ...row,
        href: hrefOf(`/groups/${row.inventoryKey}`, {}, place.asOf),
      }));
      return { rows, next };
    },
  }),
  read({
    path: '/groups/{key}',
    permission: 'read',
    summary: 'One inventory group, with the counts of its members and units',
    params: z.object({ key: name }),
    query: z.object({ as_of: asOfParameter }),
    answer: group
      .extend({
        ...pinnedFields,
        members: count,
        units: z
          .array(z.object({ scope: z.string(), term: z.string(), units: count }))
          .openapi({ description: 'terms without units are left out' }),
        explanation: z.string().openapi({ description: 'the address of why it is so' }),
      })
      .openapi('Group'),
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, query.as_of);
      const found = await pinned.objects.group(params.key);
      const members = [...(await pinned.objects.count({ group: params.key })).values()];
      const terms = await pinned.ledgers.terms({ group: params.key });
      return {
        ...fields,
        ...found,
        members: counted(members[0] ?? 0n, '/objects', { group: params.key }, asOf),
        units: terms.scopes.flatMap(({ scope, ...of }) =>
          countsByTerm(of).filter(([, number]) => number > 0).map(([term, number]) => ({
            scope,
            term,
            units: counted(number, '/units', { scope, term, group: params.key }, asOf),
          })),
        ),
        explanation: hrefOf(`/groups/${params.key}/explanation`, {}, asOf),
      };
    },
  }),
  read({
    path: '/groups/{key}/explanation',
    permission: 'read',
    summary: 'Why the verdicts of a group are what they are, with their history',
    params: z.object({ key: name }),
    query: z.object({ as_of: asOfParameter }),
    answer: z.object({ ...pinnedFields, explanation: z.unknown() }),
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      const found = await pinned.explanations.group(params.key);
      requireKnownObject(found.known, `group \`${params.key}\``);
      return { ...fields, explanation: found };
    },
  }),
  list({
    path: '/collections',
    summary: 'Every collection with births, and how many',
    name: 'collections',
    filters: {},
    line: z.object({ collection: z.string(), objects: count }).openapi('Collection'),
    page: async (gcos, _, place) => {
      const counts = [...(await gcos.objects.count())].sort(([left], [right]) => (left < right ? -1 : 1));
      const all = counts.map(([collection, number]) => ({
        collection,
        objects: counted(number, '/objects', { collection }, place.asOf),
      }));
      return ofAll(place, all);
    },
  }),
  read({
    path: '/objects/{collection}/{code}',
    permission: 'read',
    summary: 'Why the verdicts of an object are what they are',
    params: z.object(key),
    query: z.object({ as_of: asOfParameter }),
    answer: explanation,
    handle: async ({ gcos, params: { collection, code }, query }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, query.as_of);
      const found = await pinned.explanations.object(collection, code);
      requireKnownObject(found.known, `object \`${code}\` of collection \`${collection}\``);
      const path = `/objects/${encodeURIComponent(collection)}/${encodeURIComponent(code)}/history`;
      return { ...fields, history: hrefOf(path, {}, asOf), explanation: found };
    },
  }),
  list({
    path: '/objects/{collection}/{code}/history',
    summary: 'Every change of the verdicts of an object, or of the group that represents it',
    name: 'changes',
    params: key,
    filters: {},
    line: change,
    page: async (gcos, { collection = '', code = '' }, place) => {
      const found = await gcos.explanations.object(collection, code);
      requireKnownObject(found.known, `object \`${code}\` of collection \`${collection}\``);
      return ofAll(
        place,
        found.scopes.flatMap((each) => each.history),
      );
    },
  }),
];
