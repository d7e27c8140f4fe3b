// Owns the translation between AuthZEN and the gate: evaluations become questions, decisions become answers,
// and the three semantics say how many answers are returned.
import {
  ACTIONS,
  type Action,
  completeQuestions,
  type FullQuestion,
  type GateDecision,
  type GateQuestion,
  type RecordedCheck,
  STAGES,
  type Stage,
} from '../index.js';
import { GcosError } from '../kernel/index.js';

export const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
type Semantic = (typeof SEMANTICS)[number];

/** The members that decide, of an evaluation that has the form of the standard. */
interface Evaluation {
  readonly action: { readonly name: string; readonly properties?: { readonly stage?: unknown } | undefined };
  readonly resource: { readonly type: string; readonly id: string };
}

/** What is wrong with one evaluation, where the others are decided. */
interface EvaluationError {
  readonly status: number;
  readonly message: string;
}

/** The reading of one evaluation. */
export type Reading = { readonly evaluation: Evaluation } | { readonly error: EvaluationError };

interface Evidence {
  readonly snapshot: bigint;
  readonly ruleset: string;
  readonly scanTime: string;
  readonly scopes: readonly string[];
}

/** Absent members are omitted, as the standard recommends. */
export interface Answer {
  readonly decision: boolean;
  readonly context: {
    readonly outcome?: string;
    readonly mode?: string;
    readonly decisionId?: string;
    readonly decidedAt?: string;
    readonly watchedAt?: string;
    readonly breakGlass?: string;
    readonly reasons?: GateDecision['reasons'];
    readonly fixes?: GateDecision['fixes'];
    readonly evidence?: readonly Evidence[];
    readonly error?: EvaluationError;
  };
}

const GROUP = 'gcos:group';

const wrong = (message: string): { readonly error: EvaluationError } => ({ error: { status: 400, message } });

type Read = { readonly question: FullQuestion } | { readonly error: EvaluationError };

/** The question of one evaluation. A name that GCOS does not know is no reason to guess: it is an error. */
function questionOf({ action, resource }: Evaluation): Read {
  const stage = action.properties?.stage ?? 'prod';
  if (!ACTIONS.includes(action.name as Action)) return wrong(`action.name: not one of ${ACTIONS.join(', ')}`);
  if (!STAGES.includes(stage as Stage))
    return wrong(`action.properties.stage: not one of ${STAGES.join(', ')}`);
  const { type, id } = resource;
  const named = type === GROUP ? { group: id } : { collection: type, code: id };
  const question = { ...named, stage: stage as Stage, action: action.name as Action };
  try {
    return { question: completeQuestions([question])[0] as FullQuestion };
  } catch (error) {
    if (error instanceof GcosError)
      return wrong('resource: no database can store this name, so it does not exist');
    throw error;
  }
}

const keyOf = (question: FullQuestion): string => JSON.stringify(question);

/** Scopes with the same evidence together. */
function evidenceOf({ evidence }: GateDecision): readonly Evidence[] {
  const together = new Map<string, Evidence>();
  for (const { scope, ...rest } of evidence) {
    const key = `${rest.snapshot} ${rest.ruleset} ${rest.scanTime}`;
    together.set(key, { ...rest, scopes: [...(together.get(key)?.scopes ?? []), scope] });
  }
  return [...together.values()];
}

/** A block lets nothing proceed, unless its stage only observes. */
const proceeds = ({ answer, mode }: GateDecision): boolean => answer !== 'block' || mode === 'observe';

function answerOf(decision: GateDecision, check: RecordedCheck, decisionId: string): Answer {
  const { answer, mode, breakGlass, reasons, fixes } = decision;
  return {
    decision: proceeds(decision),
    context: {
      outcome: answer,
      mode,
      decisionId,
      decidedAt: check.at,
      ...(check.watchedAt === null ? {} : { watchedAt: check.watchedAt }),
      ...(breakGlass === null ? {} : { breakGlass }),
      reasons,
      fixes,
      evidence: evidenceOf(decision),
    },
  };
}

/** The answers that the semantic returns: all, or those up to the first denial or permit. */
function upTo(semantic: Semantic, answers: readonly Answer[]): readonly Answer[] {
  if (semantic === 'execute_all') return answers;
  const ends = semantic === 'permit_on_first_permit';
  const last = answers.findIndex(({ decision }) => decision === ends);
  return last === -1 ? answers : answers.slice(0, last + 1);
}

/**
 * The answers to the evaluations, in their order. All questions are decided by one call, and so in one state
 * of the database, whatever the semantic; more may be recorded than is returned, never less.
 */
export async function answerAll(
  readings: readonly Reading[],
  semantic: Semantic,
  gate: {
    readonly decide: (questions: readonly GateQuestion[]) => Promise<RecordedCheck>;
    /** Fails unless the credential is accepted. */
    readonly accepted: () => Promise<void>;
    readonly idOf: (check: RecordedCheck, index: number) => string;
  },
): Promise<readonly Answer[]> {
  const read = readings.map((each): Read => ('error' in each ? each : questionOf(each.evaluation)));
  const questions = new Map<string, FullQuestion>();
  for (const each of read) if ('question' in each) questions.set(keyOf(each.question), each.question);
  // Where there is nothing to decide, no verb looks at the credential.
  if (questions.size === 0) await gate.accepted();
  const check = questions.size === 0 ? undefined : await gate.decide([...questions.values()]);
  const places = new Map([...questions.keys()].map((key, index) => [key, index]));
  const answers = read.map((each): Answer => {
    if ('error' in each) return { decision: false, context: { error: each.error } };
    const index = places.get(keyOf(each.question)) ?? -1;
    const decision = check?.decisions[index];
    if (check === undefined || decision === undefined)
      return { decision: false, context: { error: { status: 500, message: 'it has no answer' } } };
    return answerOf(decision, check, gate.idOf(check, index));
  });
  return upTo(semantic, answers);
}
