// Owns the questions to the gate: objects and groups, the stage of a release, and the action; given as
// arguments or as a manifest.
import { z } from 'zod';
import { gateErrors } from './errors.js';
import { repeatedKey } from './repeated-key.js';

/** From the most lenient to the strictest: each stage includes the conditions of the stages before it. */
export const STAGES = ['design', 'impl', 'route', 'prod'] as const;
export type Stage = (typeof STAGES)[number];
/** From the most lenient to the strictest. */
export const ACTIONS = ['read', 'write', 'execute'] as const;
export type Action = (typeof ACTIONS)[number];

/** The strictest values: an omitted stage or action must not weaken the check. */
export const DEFAULT_STAGE: Stage = 'prod';
export const DEFAULT_ACTION: Action = 'execute';

export type GateSubject = { readonly collection: string; readonly code: string } | { readonly group: string };
/** Whom the caller says it asks for: recorded as a claim, and never a reason for an answer. */
export interface GateClaim {
  /** At most 200 characters. */
  readonly type: string;
  /** At most 1,000 characters. */
  readonly id: string;
}
export type GateQuestion = GateSubject & {
  readonly stage?: Stage;
  readonly action?: Action;
  readonly claimedBy?: GateClaim;
};
export type FullQuestion = GateSubject & {
  readonly stage: Stage;
  readonly action: Action;
  readonly claimedBy?: GateClaim;
};

/** Limit of questions per check. */
export const MOST_QUESTIONS = 100_000;

const name = z.string().min(1, 'must not be empty');
const stage = z.enum(STAGES).optional();
const action = z.enum(ACTIONS).optional();
const item = z.union(
  [
    z.strictObject({ collection: name, code: name, stage, action }),
    z.strictObject({ group: name, stage, action }),
  ],
  { error: 'must be {"collection": …, "code": …} or {"group": …}, with an optional stage and action' },
);
const manifest = z.union(
  [z.array(z.unknown()), z.strictObject({ stage, action, items: z.array(z.unknown()) })],
  { error: 'must be a list of items, or an object with a list `items` and an optional stage and action' },
);

const invalid = (message: string, cause?: unknown) =>
  gateErrors.gate_manifest_invalid(message, cause === undefined ? {} : { cause });

/** The error text of one item, taken from the item form that matches best. */
function itemText(value: unknown, error: z.ZodError): string {
  const [issue] = error.issues;
  const close =
    issue?.code === 'invalid_union' && typeof value === 'object' && value !== null && !Array.isArray(value)
      ? issue.errors['group' in value ? 1 : 0]?.[0]
      : undefined;
  const problem = close ?? issue;
  const place = problem === undefined || problem.path.length === 0 ? '' : `${problem.path.join('.')}: `;
  return `${place}${problem?.message ?? 'has the wrong form'}`;
}

/** The stricter of two values; `order` lists them from the most lenient to the strictest. */
function stricter<T>(order: readonly T[], one: T | undefined, other: T | undefined): T | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return order[Math.max(order.indexOf(one), order.indexOf(other))];
}

/**
 * The questions of a manifest. `floor` holds for all of them: the manifest may be stricter, and a more
 * lenient value in it has no effect.
 */
export function parseManifest(
  text: string,
  floor: { readonly stage?: Stage; readonly action?: Action } = {},
): readonly GateQuestion[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(`not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
  const repeated = repeatedKey(text);
  if (repeated !== undefined)
    throw gateErrors.gate_manifest_key_repeated(
      `the key ${JSON.stringify(repeated)} is written twice in one object`,
    );
  const whole = manifest.safeParse(value);
  if (!whole.success) throw invalid(itemText(undefined, whole.error));
  const { items, ...forAll } = Array.isArray(whole.data)
    ? { items: whole.data, stage: undefined, action: undefined }
    : whole.data;
  return items.map((each, index) => {
    const parsed = item.safeParse(each);
    if (!parsed.success) throw invalid(`item ${index + 1}: ${itemText(each, parsed.error)}`);
    const { stage: ownStage, action: ownAction, ...subject } = parsed.data;
    const stage = stricter(STAGES, ownStage ?? forAll.stage, floor.stage);
    const action = stricter(ACTIONS, ownAction ?? forAll.action, floor.action);
    return {
      ...subject,
      ...(stage === undefined ? {} : { stage }),
      ...(action === undefined ? {} : { action }),
    };
  });
}

/**
 * Characters that PostgreSQL text cannot contain. The cheap UNUSUAL test runs first, since \p{Surrogate} is
 * slow.
 */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const UNUSUAL = /[\0\uD800-\uDFFF]/;
const isName = (text: unknown): boolean =>
  typeof text === 'string' && text !== '' && !(UNUSUAL.test(text) && UNSTORABLE.test(text));

const isClaim = ({ type, id }: GateClaim): boolean =>
  type.length <= 200 && id.length <= 1_000 && !UNSTORABLE.test(type) && !UNSTORABLE.test(id);

const wrongItem = (place: number, what: string) => gateErrors.gate_invalid(`item ${place}: ${what}`);

/** Every question with its defaults, without duplicates, in the original order. */
export function completeQuestions(questions: readonly GateQuestion[]): readonly FullQuestion[] {
  if (questions.length === 0)
    throw gateErrors.gate_invalid('no question was given: an empty list allows nothing');
  if (questions.length > MOST_QUESTIONS)
    throw gateErrors.gate_invalid(`${questions.length} questions at once; ${MOST_QUESTIONS} are the most`);
  const once = new Map<string, FullQuestion>();
  let place = 0;
  for (const question of questions) {
    place += 1;
    const stage = question.stage ?? DEFAULT_STAGE;
    const action = question.action ?? DEFAULT_ACTION;
    if (!STAGES.includes(stage)) throw wrongItem(place, `unknown stage \`${stage}\``);
    if (!ACTIONS.includes(action)) throw wrongItem(place, `unknown action \`${action}\``);
    const named =
      'group' in question ? isName(question.group) : isName(question.collection) && isName(question.code);
    if (!named)
      throw wrongItem(
        place,
        'the name contains characters that a database cannot store, so it does not exist',
      );
    const { claimedBy } = question;
    if (claimedBy !== undefined && !isClaim(claimedBy)) throw wrongItem(place, 'the claim is too long');
    const claim = claimedBy === undefined ? {} : { claimedBy };
    const by = claimedBy === undefined ? '' : `\0${claimedBy.type}\0${claimedBy.id}`;
    // Names are not empty and contain no \0, so the keys are unambiguous.
    if ('group' in question)
      once.set(`\0${question.group}\0${stage}\0${action}${by}`, {
        ...{ group: question.group, stage, action },
        ...claim,
      });
    else {
      const { collection, code } = question;
      once.set(`${collection}\0${code}\0${stage}\0${action}${by}`, {
        ...{ collection, code, stage, action },
        ...claim,
      });
    }
  }
  return [...once.values()];
}
