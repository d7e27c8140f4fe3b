// The resource `requests`: approval requests and the votes on them. The example of a resource that is
// written.
import { z } from '@hono/zod-openapi';
import type { RequestDetail } from '../index.js';
import { canonicalJson, domainHash, parseExactJson } from '../kernel/index.js';
import { serverErrors } from './errors.js';
import { act, read } from './route.js';
import { identityLevel, reason, time } from './schema.js';

const code = z.string().min(1).max(100).openapi({ example: 'APR-0061' });
const params = z.object({ code });

const decision = z
  .object({
    person: z.string(),
    approver_type: z.string(),
    decision: z.enum(['approve', 'reject', 'withdraw']),
    login: z.string().nullable(),
    verified: z.boolean().nullable(),
    level: identityLevel.nullable(),
    reason: z.string().nullable(),
    decided_at: time.nullable(),
    by_proposer: z.boolean(),
    counts: z.boolean(),
    remark: z.string().nullable(),
  })
  .openapi('Decision');

export const requestLine = z
  .object({
    code,
    action: z.string(),
    risk: z.enum(['low', 'medium', 'high']),
    status: z.enum(['pending', 'approved', 'rejected', 'withdrawn', 'foreign', 'altered']),
    host_status: z.string(),
    proposer: z.string(),
    proposer_verified: z.boolean().nullable(),
    proposer_level: identityLevel.nullable(),
    proposed_action: z.unknown(),
    created_at: time,
    approvals: z.int(),
    rejections: z.int(),
    self_approved: z.boolean(),
    missing: z.array(z.string()),
  })
  .openapi('RequestLine');

export const requestDetail = requestLine
  .extend({
    decisions: z.array(decision),
    decides_on: z.string().openapi({
      description:
        'what a vote binds to: send it as If-Match. The hash of the plan, for an activation; of the proposed action, otherwise',
    }),
  })
  .openapi('Request');

/** What an approval binds to; it never changes while a request is what was opened. */
function decidesOn({ code: name, action, proposedAction }: RequestDetail): string {
  const plan = (proposedAction as { readonly plan_hash?: unknown } | null)?.plan_hash;
  if (typeof plan === 'string') return plan;
  const exact = parseExactJson(JSON.stringify(proposedAction));
  return domainHash('gcos.request', canonicalJson([name, action, exact]));
}

export const detailOf = (request: RequestDetail) => ({ ...request, decidesOn: decidesOn(request) });

/** A vote on another proposal than the one that was read is refused. */
function requireSeen(request: RequestDetail, seen: string | undefined): void {
  if (seen !== undefined && seen !== decidesOn(request))
    throw serverErrors.precondition_failed(`\`${request.code}\` proposes something else than If-Match names`);
}

const vote = (verb: 'approve' | 'reject', summary: string) =>
  act({
    path: `/requests/{code}/${verb}`,
    permission: 'decide',
    summary,
    params,
    body: z.object({ reason: verb === 'reject' ? reason : reason.optional() }).strict(),
    needsSeen: true,
    answer: requestDetail,
    handle: async ({ gcos, params: { code: name }, body, seen }) => {
      // Safe before the vote: the database refuses one on a request that is no longer what was opened.
      requireSeen(await gcos.requests.show(name), seen);
      const given = body.reason === undefined ? {} : { reason: body.reason };
      return detailOf(await gcos.requests[verb](name, given));
    },
  });

export const requestRoutes = [
  act({
    path: '/requests',
    permission: 'decide',
    summary: 'Open a request for an action of GCOS',
    description:
      'The setting approval.actions lists the actions. Most have an address of their own that also makes the proposed action.',
    body: z
      .object({ action: z.string().min(1).max(200), proposed_action: z.record(z.string(), z.unknown()) })
      .strict(),
    status: 201,
    answer: requestDetail,
    handle: async ({ gcos, body }) => detailOf(await gcos.requests.open(body.action, body.proposed_action)),
  }),
  read({
    path: '/requests/{code}',
    permission: 'read',
    summary: 'One request with all decisions on it',
    params,
    answer: requestDetail,
    handle: async ({ gcos, params: { code: name } }) => detailOf(await gcos.requests.show(name)),
  }),
  vote('approve', 'Approve a pending request'),
  vote('reject', 'Reject a pending request: one rejection is enough'),
  act({
    path: '/requests/{code}/withdraw',
    permission: 'decide',
    summary: 'Withdraw a pending request, as its proposer',
    params,
    body: z.object({ reason: reason.optional() }).strict(),
    answer: requestDetail,
    handle: async ({ gcos, params: { code: name }, body }) =>
      detailOf(await gcos.requests.withdraw(name, body.reason === undefined ? {} : { reason: body.reason })),
  }),
];
