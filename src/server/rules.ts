// The resources `rulesets` and `exceptions`: what is in force, what another version would do, and what is
// accepted until when.
import { z } from '@hono/zod-openapi';
import type { Exception, ExceptionStatus, Ruleset } from '../index.js';
import { byKey, given, list } from './list.js';
import { asOfParameter, pin, pinnedFields } from './moment.js';
import { read } from './route.js';
import { id, time } from './schema.js';

const name = z.string().min(1).max(500);
const version = z.string().min(1).max(100).openapi({ example: 'gov-rs-0123456789ab' });

const ruleset = z
  .object({
    version,
    family: z.string(),
    status: z.enum(['draft', 'active', 'superseded']),
    owner: z.string().nullable(),
    content_hash: z.string(),
    provenance: z.unknown().openapi({ description: 'from where its content was read' }),
    created_at: time,
    created_by: z.string(),
    activated_at: time.nullable(),
    activated_by: z.string().nullable(),
    activated_verified: z.boolean().nullable(),
    self_approved: z
      .boolean()
      .nullable()
      .openapi({ description: 'the approval of its proposer was counted' }),
    approval_ref: z.string().nullable(),
    plan_hash: z.string().nullable().openapi({ description: 'of the plan that was approved' }),
    supersedes: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .openapi('Ruleset');

const exception = z
  .object({
    code: z.string().openapi({ example: 'GEX-0001' }),
    subject: z.unknown().openapi({ description: 'an object, a group, a collection or a class' }),
    scope: z.string(),
    link: z.string().nullable().openapi({ description: 'the link that may be missing; null: any' }),
    reason: z.string(),
    requested_by: z.string(),
    granted_at: time,
    expires_at: time,
    approval_ref: z.string().nullable(),
    status: z.string().openapi({ description: 'only in_force accepts a gap' }),
    units: z
      .object({ covers: id, needing: id })
      .nullable()
      .openapi({ description: 'of its own: the units of its subject, and those with a gap that it accepts' }),
    needed: z.boolean().nullable(),
  })
  .openapi('ExceptionLine');

export const ruleRoutes = [
  list({
    path: '/rulesets',
    summary: 'Versions of the rules, newest first',
    name: 'rulesets',
    filters: {},
    line: ruleset,
    page: (gcos, _, place) =>
      byKey(
        place,
        (row: Ruleset) => row.version,
        (page) => gcos.rulesets.list(page),
      ),
  }),
  read({
    path: '/rulesets/{version}',
    permission: 'read',
    summary: 'One version of the rules; `active` is the one in force',
    params: z.object({ version }),
    query: z.object({ as_of: asOfParameter }),
    answer: ruleset.extend({ ...pinnedFields, content: z.unknown() }).openapi('RulesetDetail'),
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      return { ...fields, ...(await pinned.rulesets.show(params.version, { content: true })) };
    },
  }),
  read({
    path: '/rulesets/{version}/diff/{to}',
    permission: 'read',
    summary: 'What changed from one version to another; `current` is the rules in the tables',
    params: z.object({ version, to: version }),
    query: z.object({ as_of: asOfParameter }),
    answer: z
      .object({
        ...pinnedFields,
        from: z.string(),
        to: z.string(),
        lines: z.array(z.string()).openapi({ description: 'the changes in words' }),
        changes: z.array(z.unknown()),
      })
      .openapi('RulesetDiff'),
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      return { ...fields, ...(await pinned.rulesets.diff(params.version, params.to)) };
    },
  }),
  read({
    path: '/plan',
    permission: 'read',
    summary: 'What activating the rules in the tables would do, with every verdict that would flip',
    description: 'Reads everything that the change reaches; give it time on a large estate.',
    query: z.object({ as_of: asOfParameter }),
    answer: z
      .object({
        ...pinnedFields,
        from: z.string().nullable(),
        to: z.string(),
        hash: z.string().openapi({ description: 'what an approval of this plan binds to' }),
        changes: z.array(z.unknown()),
        groups: z
          .object({ total: id, dirtied: id, carried: id })
          .openapi({ description: 'groups that the activation would mark, and those it would carry' }),
        flips: z.unknown().openapi({ description: 'verdicts and answers of the gate that would change' }),
      })
      .openapi('Plan'),
    handle: async ({ gcos, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      const { at: _, ...plan } = await pinned.plans.plan();
      return { ...fields, ...plan };
    },
  }),
  list({
    path: '/exceptions',
    summary: 'Gaps that are accepted for a time',
    name: 'exceptions',
    filters: { status: name.optional(), scope: name.optional() },
    line: exception,
    limits: ({ scope }) => given({ scope }),
    page: (gcos, { status, ...filter }, place) =>
      byKey(
        place,
        (row: Exception) => row.code,
        (page) =>
          gcos.exceptions.list({
            ...filter,
            ...given({ status: status as ExceptionStatus | undefined }),
            ...page,
            withUnits: true,
          }),
      ),
  }),
  read({
    path: '/exceptions/{code}',
    permission: 'read',
    summary: 'One exception, with its request',
    params: z.object({ code: name }),
    query: z.object({ as_of: asOfParameter }),
    answer: exception
      .extend({
        ...pinnedFields,
        why: z.string(),
        revoked: z.object({ at: time, by: z.string(), reason: z.string() }).nullable(),
        fingerprint: z.object({ at_grant: z.string(), now: z.string().nullable() }),
        request: z.unknown(),
      })
      .openapi('Exception'),
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      return { ...fields, ...(await pinned.exceptions.show(params.code)) };
    },
  }),
];
