// Owns what this module adds to the product: its errors, settings and functions.
import { z } from 'zod';
import { defineModule, defineSetting } from '../../db/index.js';
import { sourceErrors } from './errors.js';
import handoffSql from './schema/handoff.sql.js';
import sourcesDownSql from './schema/sources.down.sql.js';
import sourcesSql from './schema/sources.sql.js';
import syncSql from './schema/sync.sql.js';

/** How often a worker reads a source. */
export const sourceCadence = defineSetting({
  key: 'source.cadence',
  form: z.strictObject({
    minutes: z.number().positive().max(10_080),
    share: z.number().positive().max(1).default(1),
  }),
  default: { minutes: 15, share: 0.1 },
  about:
    'How often a worker reads each source of a home again, in minutes; after a failure, too. Less often, if reading it would take more than `share` of the time',
});

export const sourceModule = defineModule({
  name: 'source',
  errors: [sourceErrors],
  settings: [sourceCadence],
  migration: {
    id: 23,
    name: 'source',
    up: [sourcesSql, syncSql, handoffSql].join('\n'),
    down: sourcesDownSql,
  },
});
