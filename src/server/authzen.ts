// The gate as a policy decision point of the AuthZEN Authorization API 1.0. INVARIANTS: `decision` is true
// only for an answer that is recorded and lets the subject proceed; everything else, each error included, is
// false. The subject is a claim of the caller: it is recorded as one, and never decides.
import { z } from '@hono/zod-openapi';
import { type Answer, answerAll, type Reading, SEMANTICS } from './authzen-answer.js';
import { serverErrors } from './errors.js';
import { decisionIdOf, LARGEST_MANIFEST } from './gate.js';
import type { Verbs } from './identity.js';
import type { Problem } from './problem.js';
import { ask, open, type Refusal, Reply } from './route.js';

/** Unknown members are ignored, as the standard demands. */
const properties = z.looseObject({}).optional();
const entity = z.looseObject({ type: z.string(), id: z.string(), properties });
/** What is recorded of a claim is short. */
const claim = z.looseObject({ type: z.string().max(200), id: z.string().max(1_000), properties });
const action = z.looseObject({ name: z.string(), properties });
const context = z.looseObject({}).optional();

const evaluation = z
  .looseObject({
    subject: claim.openapi({ description: 'a claim: its type and id are recorded, and do not decide' }),
    action: action.openapi({
      description: 'name: read, write or execute; properties.stage: design, impl, route or prod',
    }),
    resource: entity.openapi({
      description: 'an object: type is its collection, id its code. A group: type gcos:group, id its key',
    }),
    context,
  })
  .openapi('AuthZenEvaluation');

/** Each evaluation is read on its own: a malformed one is denied, and the others are decided. */
const evaluations = z
  .looseObject({
    subject: claim.optional(),
    action: action.optional(),
    resource: entity.optional(),
    context,
    evaluations: z.array(z.looseObject({})).max(100_000).optional().openapi({
      description: 'each takes the subject, action, resource and context that it lacks from the top',
    }),
    options: z.looseObject({ evaluations_semantic: z.enum(SEMANTICS).optional() }).optional(),
  })
  .openapi('AuthZenEvaluations');

const decision = z
  .object({ decision: z.boolean(), context: z.record(z.string(), z.unknown()).optional() })
  .openapi('AuthZenDecision');

/** The body of every error, so that a client that looks at nothing but `decision` is denied. */
function failure({ status, title, detail, code }: Problem): Refusal {
  const known = status === 415 ? 400 : status;
  const body = { decision: false, context: { error: { status: known, message: detail ?? title, code } } };
  return { status: known, type: 'application/json', body };
}

const shared = {
  atRoot: true,
  permission: 'gate',
  largestBody: LARGEST_MANIFEST,
  echoesRequestId: true,
  failure,
  outcomes: (value: unknown) => {
    const { evaluations: many = [value] } = value as { readonly evaluations?: readonly unknown[] };
    const counts: Record<string, number> = {};
    for (const each of many as readonly Answer[]) {
      const outcome = each.context.outcome ?? 'undecided';
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  },
} as const;

const gateOf = (call: {
  readonly gcos: Verbs;
  accepted(): Promise<void>;
}): Parameters<typeof answerAll>[2] => ({
  accepted: () => call.accepted(),
  decide: (questions) => call.gcos.gates.decide(questions),
  idOf: (check, index) => decisionIdOf({ check: check.id, item: index + 1 }),
});

/** One evaluation of many: malformed, it is denied, and the others are decided. */
function readingOf(given: unknown): Reading {
  const parsed = evaluation.safeParse(given);
  if (parsed.success) return { evaluation: parsed.data };
  const [issue] = parsed.error.issues;
  return { error: { status: 400, message: `${issue?.path.join('.')}: ${issue?.message}` } };
}

const EVALUATION = '/access/v1/evaluation';
const EVALUATIONS = '/access/v1/evaluations';

export const authZenRoutes = [
  ask({
    ...shared,
    path: EVALUATION,
    summary: 'AuthZEN: one access evaluation',
    body: evaluation,
    answer: decision,
    handle: async ({ body, gcos, accepted }) => {
      const [answer] = await answerAll([{ evaluation: body }], 'execute_all', gateOf({ gcos, accepted }));
      return answer;
    },
  }),
  ask({
    ...shared,
    path: EVALUATIONS,
    summary: 'AuthZEN: access evaluations, all in one state of the database',
    body: evaluations,
    answer: z.union([z.object({ evaluations: z.array(decision) }), decision]),
    handle: async ({ body, gcos, accepted }) => {
      const gate = gateOf({ gcos, accepted });
      const { evaluations: items = [], options, ...defaults } = body;
      // A request without evaluations is one evaluation.
      if (items.length === 0) {
        const reading = readingOf(defaults);
        if ('error' in reading) {
          await accepted();
          throw serverErrors.request_malformed(`body.${reading.error.message}`);
        }
        const [answer] = await answerAll([reading], 'execute_all', gate);
        return answer;
      }
      const semantic = options?.evaluations_semantic ?? 'execute_all';
      const readings = items.map((item) => readingOf({ ...defaults, ...item }));
      return { evaluations: await answerAll(readings, semantic, gate) };
    },
  }),
  open({
    path: '/.well-known/authzen-configuration',
    atRoot: true,
    summary: 'AuthZEN: where the policy decision point is, and what it can',
    answer: z
      .object({
        policy_decision_point: z.url(),
        access_evaluation_endpoint: z.url(),
        access_evaluations_endpoint: z.url(),
      })
      .openapi('AuthZenConfiguration'),
    handle: async ({ origin }) =>
      new Reply(
        {
          policy_decision_point: origin,
          access_evaluation_endpoint: `${origin}${EVALUATION}`,
          access_evaluations_endpoint: `${origin}${EVALUATIONS}`,
        },
        { 'cache-control': 'max-age=3600' },
      ),
  }),
];
