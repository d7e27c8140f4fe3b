// Acts of people who operate GCOS: proposing a remedy, retrying dead letters, pausing the workers, changing a
// setting.
import { z } from '@hono/zod-openapi';
import { act } from './route.js';
import { name, pauseAct, reason, time } from './schema.js';

const remediation = z
  .object({
    remedy: z.string(),
    what: z.string(),
    scope: z.string().nullable(),
    who: z.array(z.string()),
    fix: z.string().nullable(),
    objects: z.int().nullable(),
    members: z.int().nullable(),
    sample: z.array(z.string()),
    findings: z.array(z.string()),
    finding_count: z.int(),
    found_under: z.object({
      snapshot: z.string().nullable(),
      ruleset: z.string().nullable(),
      scan_time: time.nullable(),
      run: z.string().nullable(),
    }),
  })
  .openapi('Remediation');

const paused = z
  .object({ paused: z.boolean(), pause: pauseAct.nullable(), resume: pauseAct.nullable() })
  .openapi('PauseState');

export const operationActs = [
  act({
    path: '/fixes/{remedy}/propose',
    permission: 'decide',
    summary: 'Request the remedy of a fix or a finding',
    description: '`created` is false if a request for the same remedy is pending.',
    params: z.object({ remedy: name }),
    body: z.strictObject({}),
    status: 201,
    answer: z.object({ code: z.string(), created: z.boolean(), remediation }),
    handle: ({ gcos, params: { remedy } }) => gcos.fixes.propose(remedy),
  }),
  act({
    path: '/dead-letters/retry',
    permission: 'operate',
    summary: 'Make dead letters due again at once',
    body: z
      .strictObject({ ids: z.array(z.uuid()).min(1).max(1_000).optional(), origin: name.optional() })
      .refine(({ ids, origin }) => ids !== undefined || origin !== undefined, {
        message: 'name `ids`, or an `origin`',
      }),
    answer: z.object({ retried: z.array(z.object({ id: z.string(), origin: z.string() })) }),
    handle: async ({ gcos, body: { ids, origin } }) => ({
      retried: await gcos.deadLetters.retry({
        ...(ids === undefined ? {} : { ids }),
        ...(origin === undefined ? {} : { origin }),
      }),
    }),
  }),
  act({
    path: '/workers/pause',
    permission: 'operate',
    summary: 'Pause all workers: meanwhile the gate blocks high risk',
    body: z.strictObject({ reason }),
    answer: paused,
    handle: ({ gcos, body }) => gcos.workers.pause(body.reason),
  }),
  act({
    path: '/workers/resume',
    permission: 'operate',
    summary: 'Let all workers continue',
    body: z.strictObject({ reason: reason.optional() }),
    answer: paused,
    handle: ({ gcos, body }) => gcos.workers.resume(body.reason ?? null),
  }),
  act({
    path: '/settings/{key}',
    method: 'put',
    permission: 'operate',
    summary: 'Change a setting, where a person may',
    description:
      'Settings that change verdicts take effect with the next approved ruleset: `needs_approval`.',
    params: z.object({ key: name }),
    body: z.strictObject({ value: z.unknown() }),
    answer: z.object({
      key: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      changed: z.boolean(),
      needs_approval: z.boolean(),
      person: z.string(),
    }),
    handle: ({ gcos, params: { key }, body }) => gcos.settings.set(key, JSON.stringify(body.value ?? null)),
  }),
];
