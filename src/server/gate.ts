// The resource `gate`: checks, the decisions they recorded, and break-glass passes.
import { z } from '@hono/zod-openapi';
import {
  ACTIONS,
  type DecisionKey,
  type GateQuestion,
  type PassSubject,
  type RecordedCheck,
  type SingleDecision,
  STAGES,
} from '../index.js';
import { serverErrors } from './errors.js';
import { Running } from './limits.js';
import { paging } from './list.js';
import { act, ask, read } from './route.js';
import { id, reason, time } from './schema.js';

/** A manifest of everything that a large release touches. */
export const LARGEST_MANIFEST = 16 * 1_048_576;

/**
 * Checks that wait for a worker, so that they leave room for all others; each ends before its request does.
 */
const freshChecks = new Running(8);
const FRESH_MS = 25_000;

const name = z.string().min(1).max(10_000);
const stage = z.enum(STAGES);
const action = z.enum(ACTIONS);
const answerWord = z.enum(['allow', 'block', 'allow_and_rescan']);
const asked = { stage: stage.optional(), action: action.optional() };
const fresh = z.boolean().optional().openapi({
  description:
    'first wait until all that the host has committed by now is taken in and evaluated: a worker must run',
});

const subject = z.union([
  z.object({ collection: name, code: name }).strict(),
  z.object({ group: name }).strict(),
]);
const question = z
  .union([
    z.object({ collection: name, code: name, ...asked }).strict(),
    z.object({ group: name, ...asked }).strict(),
  ])
  .openapi('GateQuestion', {
    description:
      'an object, or a group by its key or that of its inventory group; default: stage prod, action execute',
  });
const single = z.union([
  z.object({ collection: name, code: name, ...asked, fresh }).strict(),
  z.object({ group: name, ...asked, fresh }).strict(),
]);
const manifest = z
  .object({ items: z.array(question).min(1).max(100_000), ...asked, fresh })
  .strict()
  .openapi('GateManifest', { description: 'stage and action hold for every item that has none of its own' });

const decision = z
  .object({
    subject,
    stage,
    action,
    answer: answerWord,
    mode: z.enum(['enforce', 'observe']).openapi({
      description: 'observe: the stage does not enforce blocks; this one would be a block',
    }),
    high_risk: z.boolean(),
    break_glass: z.string().nullable().openapi({ description: 'the pass that turned a block into an allow' }),
    reasons: z.array(z.object({ code: z.string(), scope: z.string().nullable(), sentence: z.string() })),
    fixes: z.array(z.object({ what: z.string(), who: z.array(z.string()) })),
    evidence: z.array(z.object({ scope: z.string(), snapshot: id, ruleset: z.string(), scan_time: time })),
    valid_until: time.nullable().openapi({
      description:
        'of an allow: the earliest end of the verdicts or the pass that it relies on; what changes earlier ends it earlier',
    }),
  })
  .openapi('GateDecision');

const decisionId = z
  .string()
  .regex(/^[1-9]\d{0,18}\.[1-9]\d{0,5}$/)
  .openapi({ example: '4711.1', description: 'the number of the check, and the place in it' });
const recorded = decision
  .extend({
    id: decisionId,
    at: time,
    watched_at: time.nullable(),
    login: z.string(),
    person: z.string().nullable(),
    claimed_by: z.object({ type: z.string(), id: z.string() }).nullable().openapi({
      description: 'whom the caller said it asks for: a claim that nothing checked and that never decides',
    }),
  })
  .openapi('RecordedGateDecision');

const check = z
  .object({
    id: id.openapi({ description: 'the number under which the answers are recorded' }),
    at: time,
    watched_at: time.nullable().openapi({
      description: 'everything that the host committed before this time is taken into account',
    }),
    answer: answerWord.openapi({ description: 'the strictest enforced answer of all decisions' }),
    would_block: z.int().openapi({ description: 'blocks at stages that only observe' }),
    decisions: z.array(decision.extend({ id: decisionId })),
  })
  .openapi('GateCheck');

/** What the API calls a decision; AuthZEN uses the same. */
export const decisionIdOf = (key: DecisionKey): string => `${key.check}.${key.item}`;

/** INVARIANT: the text has the form of `decisionId`. */
function decisionKeyOf(text: string): DecisionKey {
  const [checkId = '', item = ''] = text.split('.');
  return { check: BigInt(checkId), item: Number(item) };
}

const numbered = ({ decisions, ...rest }: RecordedCheck) => ({
  ...rest,
  decisions: decisions.map((each, index) => ({
    id: decisionIdOf({ check: rest.id, item: index + 1 }),
    ...each,
  })),
});

const recordedOf = ({ check: number, item, ...rest }: SingleDecision) => ({
  id: decisionIdOf({ check: number, item }),
  ...rest,
});

/** The answers of a check by name, for the metrics. */
function outcomesOf(decisions: readonly { readonly answer: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { answer } of decisions) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

const page = { limit: paging.limit };
const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

const filter = z.object({
  ...page,
  after: decisionId.optional(),
  answer: answerWord.optional(),
  stage: stage.optional(),
  action: action.optional(),
  collection: name.optional(),
  code: name.optional(),
  group: name.optional(),
  check: id.optional(),
  passed: yesOrNo
    .optional()
    .openapi({ description: 'whether a break-glass pass turned a block into an allow' }),
});

/** Without the members that are undefined. */
function given<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

const passCode = z
  .string()
  .regex(/^[A-Z]{1,8}-\d{1,18}$/)
  .openapi({ example: 'GBG-0001' });
const pass = z
  .object({
    code: passCode,
    subject: z.union([
      z.object({ kind: z.literal('object'), collection: z.string(), code: z.string() }),
      z.object({ kind: z.literal('group'), inventory_key: z.string() }),
    ]),
    stage,
    action,
    minutes: z.int(),
    reason: z.string(),
    requested_by: z.string(),
    requested_at: time,
    approve_by: time,
    approval_ref: z.string(),
    began_at: time.nullable(),
    ends_at: time.nullable(),
    status: z.enum(['waiting', 'in_force', 'over', 'closed', 'lapsed', 'late', 'refused', 'unratified']),
    verified_at: time.nullable(),
  })
  .openapi('BreakGlassPass');
const passRequest = z
  .union([
    z
      .object({ collection: name, code: name, stage, action, minutes: z.int().positive().optional(), reason })
      .strict(),
    z.object({ group: name, stage, action, minutes: z.int().positive().optional(), reason }).strict(),
  ])
  .openapi('BreakGlassRequest');

const passSubject = (body: z.output<typeof passRequest>): PassSubject =>
  'group' in body
    ? { kind: 'group', inventoryKey: body.group }
    : { kind: 'object', collection: body.collection, code: body.code };

export const gateRoutes = [
  ask({
    path: '/gate/check',
    permission: 'gate',
    summary:
      'May these objects and groups proceed? One decision each, all in one state of the database, all recorded',
    description: '`fresh` waits for the worker, for 25 seconds at most: without an answer by then it is 503.',
    body: z.union([single, manifest]),
    largestBody: LARGEST_MANIFEST,
    answer: check,
    outcomes: (value) => outcomesOf((value as RecordedCheck).decisions),
    handle: async ({ gcos, body: { fresh: waits, ...body } }) => {
      const { items, ...all } = 'items' in body ? body : { items: [body] };
      const questions = items.map((item) => given({ ...all, ...given(item) }) as GateQuestion);
      if (waits !== true) return numbered(await gcos.gates.decide(questions));
      const decide = () => gcos.gates.decide(questions, { fresh: true, deadlineMs: FRESH_MS });
      return numbered(await freshChecks.run(decide));
    },
  }),
  read({
    path: '/gate/decisions',
    permission: 'read',
    summary: 'The recorded decisions, the latest first',
    query: filter,
    answer: z.object({ decisions: z.array(recorded), next: decisionId.nullable() }),
    handle: async ({ gcos, query: { after, check: number, ...rest } }) => {
      const found = await gcos.gates.decisions({
        ...given(rest),
        ...(after === undefined ? {} : { after: decisionKeyOf(after) }),
        ...(number === undefined ? {} : { check: BigInt(number) }),
      });
      return {
        decisions: found.decisions.map(recordedOf),
        next: found.next === null ? null : decisionIdOf(found.next),
      };
    },
  }),
  read({
    path: '/gate/decisions/{id}',
    permission: 'read',
    summary: 'One recorded decision, with its reasons and its evidence',
    params: z.object({ id: decisionId }),
    answer: recorded,
    handle: async ({ gcos, params }) => recordedOf(await gcos.gates.decision(decisionKeyOf(params.id))),
  }),
  read({
    path: '/gate/break-glass',
    permission: 'read',
    summary: 'Break-glass passes, the latest first',
    query: z.object({ ...page, after: passCode.optional() }),
    answer: z.object({ passes: z.array(pass), next: passCode.nullable() }),
    handle: async ({ gcos, query: { limit = 50, after } }) => {
      const passes = await gcos.breakGlass.list({ limit, ...given({ after }) });
      return { passes, next: passes.length < limit ? null : (passes.at(-1)?.code ?? null) };
    },
  }),
  read({
    path: '/gate/break-glass/{code}',
    permission: 'read',
    summary: 'One break-glass pass',
    params: z.object({ code: passCode }),
    answer: pass,
    handle: async ({ gcos, params: { code } }) => {
      const [found] = await gcos.breakGlass.list({ code });
      if (found === undefined) throw serverErrors.pass_unknown(`there is no pass \`${code}\``);
      return found;
    },
  }),
  act({
    path: '/gate/break-glass',
    permission: 'decide',
    status: 201,
    summary: 'Request a pass that turns a block into an allow for minutes; another person must approve it',
    body: passRequest,
    answer: z.object({ pass, opened: z.boolean() }),
    handle: async ({ gcos, body }) => {
      const { stage: at, action: what, minutes, reason: why } = body;
      const request = { subject: passSubject(body), stage: at, action: what, ...given({ minutes }) };
      return gcos.breakGlass.request(request, { reason: why });
    },
  }),
  act({
    path: '/gate/break-glass/{code}/close',
    permission: 'decide',
    summary: 'Close a pass early',
    params: z.object({ code: passCode }),
    answer: pass,
    handle: async ({ gcos, params: { code } }) => gcos.breakGlass.close(code),
  }),
];
