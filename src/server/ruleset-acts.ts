// Acts on the resource `rulesets`: drafting the rules in the tables, proposing them, and activating a version
// under its approved request.
import { z } from '@hono/zod-openapi';
import { act } from './route.js';
import { identityLevel, time } from './schema.js';

const carried = z.object({ carried: z.int(), dirtied: z.int() });

const activation = z
  .object({
    version: z.string(),
    superseded: z.string().nullable(),
    activated_at: time,
    activated_by: z.string(),
    verified: z.boolean(),
    identity_level: identityLevel.nullable(),
    self_approved: z.boolean(),
    verdicts: z.object({ groups: carried, objects: carried, findings: z.int() }).nullable(),
  })
  .openapi('Activation');

const drafted = z
  .object({
    version: z.string(),
    content_hash: z.string(),
    created: z.boolean().openapi({ description: 'false: these rules were drafted before' }),
    status: z.enum(['draft', 'active', 'superseded']),
    owner: z.string().nullable(),
  })
  .openapi('RulesetDraft');

export const rulesetActs = [
  act({
    path: '/rulesets',
    permission: 'decide',
    summary: 'Store the rules in the tables as a draft, named by its content',
    body: z.strictObject({ notes: z.string().trim().min(1).max(2_000).optional() }),
    status: 201,
    answer: drafted,
    handle: async ({ gcos, body }) => {
      const { version, contentHash, created, status, owner } = await gcos.rulesets.draft(
        body.notes === undefined ? {} : { notes: body.notes },
      );
      return { version, contentHash, created, status, owner };
    },
  }),
  act({
    path: '/rulesets/propose',
    permission: 'decide',
    summary: 'Draft the rules in the tables, and request approval of exactly this plan',
    body: z.strictObject({}),
    status: 201,
    answer: z.object({
      code: z.string().openapi({ description: 'the request; a vote on it binds to `decides_on`' }),
      decides_on: z.string(),
      from: z.string().nullable(),
      to: z.string(),
    }),
    handle: async ({ gcos }) => {
      const { code, plan } = await gcos.plans.propose();
      return { code, decidesOn: plan.hash, from: plan.from, to: plan.to };
    },
  }),
  act({
    path: '/rulesets/{version}/activate',
    permission: 'decide',
    summary: 'Activate a version under its approved request, if the plan is still the approved one',
    params: z.object({ version: z.string().min(1).max(100) }),
    body: z.strictObject({ request: z.string().min(1).max(100).openapi({ example: 'APR-0061' }) }),
    answer: activation,
    handle: ({ gcos, params: { version }, body }) => gcos.plans.activate(version, body.request),
  }),
];
