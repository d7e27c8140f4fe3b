// The resource `map`: what the estate looks like. The largest inventory groups with their units in one scope,
// and the units of each owner in every scope; each number of units leads to their list.
import { z } from '@hono/zod-openapi';
import type { TermNumbers } from '../index.js';
import { given } from './list.js';
import { asOfParameter, count, counted, type Filter, hrefOf, pin, pinnedFields } from './moment.js';
import { read } from './route.js';
import { id } from './schema.js';

const terms = z
  .array(z.object({ term: z.string(), units: count }))
  .openapi({ description: 'by term of the ledger; terms without units are left out' });
const owner = z
  .string()
  .nullable()
  .openapi({ description: 'accountable in this scope; null: none, or more than one' });

const mapped = z
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
    owners: z
      .array(z.object({ owner, terms }))
      .openapi({ description: 'its units in the scope, by owner; empty: it has none' }),
    href: z.string().openapi({ description: 'the group, with its counts' }),
  })
  .openapi('MappedGroup');

/** Numbers of units, each with their list. */
const linked = (numbers: TermNumbers, filter: Filter, asOf: string) =>
  Object.entries(numbers).map(([term, units]) => ({
    term,
    units: counted(units, '/units', { ...filter, term }, asOf),
  }));
const ownedBy = (of: string | null): Filter => (of === null ? { unowned: 'true' } : { owner: of });

export const mapRoutes = [
  read({
    path: '/map',
    permission: 'read',
    summary: 'The inventory groups with the most members, with their units in one scope by owner',
    query: z.object({
      scope: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .openapi({ description: 'default: the first scope, for a token without limits' }),
      as_of: asOfParameter,
    }),
    limits: ({ query: { scope } }) => given({ scope }),
    answer: z
      .object({
        ...pinnedFields,
        scope: z.string(),
        scopes: z.array(z.string()).openapi({ description: 'every scope that has a map' }),
        groups: z.array(mapped).openapi({ description: 'at most a thousand, the largest first' }),
        smaller: z
          .object({ groups: z.int(), recorded_members: id })
          .openapi({ description: 'what the groups are that are smaller than all of these' }),
      })
      .openapi('EstateMap'),
    handle: async ({ gcos, query: { scope: asked, as_of: moment } }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, moment);
      const { scope, groups, ...rest } = await pinned.ledgers.map(given({ scope: asked }));
      return {
        ...fields,
        ...rest,
        scope,
        groups: groups.map((group) => ({
          ...group,
          href: hrefOf(`/groups/${group.inventoryKey}`, {}, asOf),
          owners: group.owners.map((each) => ({
            owner: each.owner,
            terms: linked(each.terms, { scope, group: group.inventoryKey, ...ownedBy(each.owner) }, asOf),
          })),
        })),
      };
    },
  }),
  read({
    path: '/owners',
    permission: 'read',
    summary: 'The units of each owner in every scope, by term',
    query: z.object({ as_of: asOfParameter }),
    answer: z
      .object({
        ...pinnedFields,
        owners: z.array(z.object({ scope: z.string(), owner, total: count, terms }).openapi('OwnedTerms')),
      })
      .openapi('Owners'),
    handle: async ({ gcos, query }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, query.as_of);
      const owners = await pinned.ledgers.owners();
      return {
        ...fields,
        owners: owners.map(({ scope, owner: of, terms: numbers }) => {
          const { not_relevant: _, ...counting } = numbers;
          const total = Object.values(counting).reduce((sum, units) => sum + units, 0);
          const filter = { scope, ...ownedBy(of) };
          return {
            scope,
            owner: of,
            total: counted(total, '/units', { ...filter, term: 'total' }, asOf),
            terms: linked(numbers, filter, asOf),
          };
        }),
      };
    },
  }),
];
