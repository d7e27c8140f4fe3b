// The resource `status`: the answers to the three questions. The shortest example of a resource that is read.
import { z } from '@hono/zod-openapi';
import { read } from './route.js';
import { id, pauseAct, time } from './schema.js';

const answer = z
  .object({
    question: z.string(),
    answer: z.enum(['yes', 'no', 'unknown']),
    why: z.string(),
  })
  .openapi('Answer');

const status = z
  .object({
    schema: z.enum(['absent', 'older', 'current', 'newer', 'altered']),
    migration: z.int().nullable(),
    births: id.nullable().openapi({ description: 'estimated from the statistics of the server' }),
    inventory: z.enum(['present', 'absent']),
    workers: z
      .object({ paused: z.boolean(), pause: pauseAct.nullable(), resume: pauseAct.nullable() })
      .nullable(),
    snapshot: z.object({ id, at: time }).nullable(),
    ruleset: z
      .object({
        active: z.string().nullable(),
        self_approved: z.boolean().nullable(),
        current: z.string(),
        drifted: z.boolean(),
        changes: z.int(),
      })
      .nullable(),
    exceptions: z.object({ in_force: z.int(), not_needed: z.array(z.string()), waiting: z.int() }).nullable(),
    observing: z.array(z.unknown()),
    watched_at: time.nullable(),
    accounted: answer,
    current: answer,
    production: answer,
  })
  .openapi('Status');

export const statusRoutes = [
  read({
    path: '/status',
    permission: 'read',
    summary: 'Is every object accounted for, is that still true, may it go to production?',
    answer: status,
    handle: ({ gcos }) => gcos.status(),
  }),
];
