// The resource `units`: what the terms of the ledger count, line by line.
import { z } from '@hono/zod-openapi';
import type { UnitFilter } from '../index.js';
import { given, list } from './list.js';
import { id, time } from './schema.js';

const name = z.string().min(1).max(500);

const unit = z
  .object({
    kind: z.enum(['group', 'object', 'birth']).openapi({
      description:
        'a container that counts once; an object that counts by itself; a birth that could not be processed',
    }),
    scope: z.string(),
    term: z.string().openapi({ description: 'the one term of the ledger in which it counts in this scope' }),
    cause: z.string().nullable().openapi({ description: 'why, where the term does not say it' }),
    collection: z.string().nullable(),
    code: z.string().nullable().openapi({ description: 'null for a container' }),
    birth_id: id.nullable(),
    inventory_key: z.string().openapi({ description: 'the key of its inventory group' }),
    object_class: z.string(),
    axis_family: z.string().nullable(),
    lifecycle_status: z.string().nullable(),
    owner: z
      .string()
      .nullable()
      .openapi({ description: 'accountable in this scope; null: none, or more than one' }),
    risk_class: z.string().nullable().openapi({ description: 'null: never evaluated' }),
    verdict: z.string().nullable(),
    verdict_line: z.int().nullable().openapi({ description: 'the line of precedence that decided' }),
    coverage_outcome: z.string().nullable(),
    scan_time: time.nullable(),
    stale_after: time
      .nullable()
      .openapi({ description: 'the verdict is valid until then, if nothing changes' }),
  })
  .openapi('Unit');

export const unitRoutes = [
  list({
    path: '/units',
    summary: 'The units behind the ledger, by scope, term and cause',
    name: 'units',
    filters: {
      scope: name.optional(),
      term: name.optional().openapi({ description: 'a term of the ledger; `total`: all but not_relevant' }),
      cause: name.optional(),
      owner: name.optional(),
      unowned: z
        .enum(['true'])
        .optional()
        .openapi({ description: 'only units for which no owner is accountable, or more than one' }),
      collection: name.optional(),
      object_class: name.optional(),
      group: name.optional().openapi({ description: 'the key of an inventory group' }),
    },
    line: unit,
    limits: ({ scope, owner }) => given({ scope, owner }),
    page: async (gcos, { object_class: objectClass, unowned, ...filter }, place) => {
      const asked = {
        ...filter,
        ...given({ objectClass }),
        unowned: unowned === 'true',
        ...place,
      } as UnitFilter;
      const { units, next } = await gcos.ledgers.units(asked);
      return { rows: units, next };
    },
  }),
];
