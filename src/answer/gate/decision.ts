// Owns the form of a decision, and building it from the database row. A check that cannot be decided has the
// same form: a block with its reason.
import { GcosError } from '../../kernel/index.js';
import { type Bodies, fixesOf, type GateFix } from './fix.js';
import type { Action, FullQuestion, GateSubject, Stage } from './question.js';
import type { GateReason, WordedReason } from './reason.js';

export type GateAnswer = 'allow' | 'block' | 'allow_and_rescan';
export type GateMode = 'enforce' | 'observe';

/** The evidence in one scope: snapshot, ruleset and time of the verdict. */
export interface GateEvidence {
  readonly scope: string;
  readonly snapshot: bigint;
  readonly ruleset: string;
  readonly scanTime: string;
}

export interface GateDecision {
  readonly subject: GateSubject;
  readonly stage: Stage;
  readonly action: Action;
  readonly answer: GateAnswer;
  /** Observe: a block is reported and recorded, but not enforced. */
  readonly mode: GateMode;
  readonly highRisk: boolean;
  /** The break-glass pass that turned a block into an allow; `reasons` holds the overridden reasons. */
  readonly breakGlass: string | null;
  readonly reasons: readonly GateReason[];
  readonly fixes: readonly GateFix[];
  readonly evidence: readonly GateEvidence[];
  /** Of an allow: the earliest end of what it relies on; it can end earlier. Null for any other answer. */
  readonly validUntil: string | null;
}

export interface GateCheck {
  /** For `gcos gate why`; null if the check was not recorded, which always means a block. */
  readonly id: bigint | null;
  readonly at: string | null;
  /**
   * Everything that the host committed before this time is taken into account; null: nothing was ever
   * watched.
   */
  readonly watchedAt: string | null;
  /** The strictest enforced answer of all decisions; decisions that are only observed do not block. */
  readonly answer: GateAnswer;
  /** Decisions that would be blocks if their stage were enforced. */
  readonly wouldBlock: number;
  readonly decisions: readonly GateDecision[];
}

export interface DecidedRow {
  readonly answer: string;
  readonly mode: string;
  readonly high_risk: boolean;
  readonly pass_code: string | null;
  readonly scopes: readonly string[];
  readonly snapshot_refs: readonly bigint[];
  readonly ruleset_versions: readonly string[];
  readonly scan_times: readonly string[];
  readonly reasons: string | null;
  readonly valid_until: string | null;
}

/** Cached per row: one row may answer many questions. */
function evidenceOf(row: DecidedRow): readonly GateEvidence[] {
  const known = evidences.get(row);
  if (known !== undefined) return known;
  const { scopes, snapshot_refs, ruleset_versions, scan_times } = row;
  const evidence = scopes
    .map((scope, place) => ({
      scope,
      // A single value applies to all scopes.
      snapshot: snapshot_refs[place] ?? snapshot_refs[0] ?? 0n,
      ruleset: ruleset_versions[place] ?? ruleset_versions[0] ?? '',
      scanTime: scan_times[place] ?? scan_times[0] ?? '',
    }))
    .sort((left, right) => (left.scope < right.scope ? -1 : 1));
  evidences.set(row, evidence);
  return evidence;
}
const evidences = new WeakMap<DecidedRow, readonly GateEvidence[]>();

const subjectOf = (question: FullQuestion): GateSubject =>
  'group' in question ? { group: question.group } : { collection: question.collection, code: question.code };

/** Frozen, because all decisions share it. */
const NONE: readonly never[] = Object.freeze([]);

export function decisionOf(
  question: FullQuestion,
  row: DecidedRow,
  worded: readonly WordedReason[],
  bodies: Bodies | undefined,
): GateDecision {
  return {
    subject: subjectOf(question),
    stage: question.stage,
    action: question.action,
    answer: row.answer as GateAnswer,
    mode: row.mode as GateMode,
    highRisk: row.high_risk,
    breakGlass: row.pass_code,
    reasons: worded.length === 0 ? NONE : worded.map((each) => each.reason),
    fixes: worded.length === 0 || bodies === undefined ? NONE : fixesOf(worded, bodies),
    evidence: evidenceOf(row),
    validUntil: row.valid_until,
  };
}

const isStopped = ({ answer, mode }: GateDecision): boolean => answer === 'block' && mode === 'enforce';

/** Combines the decisions into one check. */
export function summarize(
  recorded: Pick<GateCheck, 'id' | 'at' | 'watchedAt'>,
  decisions: readonly GateDecision[],
): GateCheck {
  const rescan = decisions.some((each) => each.answer === 'allow_and_rescan');
  return {
    ...recorded,
    answer: decisions.some(isStopped) ? 'block' : rescan ? 'allow_and_rescan' : 'allow',
    wouldBlock: decisions.filter((each) => each.answer === 'block' && each.mode === 'observe').length,
    decisions,
  };
}

/** What the gate would answer to one question as of another time: no decision. */
export interface GateAnswerAsOf extends Omit<GateDecision, 'answer' | 'breakGlass' | 'validUntil'> {
  readonly wouldBe: GateAnswer;
  /** The break-glass pass that would turn a block into an allow. */
  readonly wouldUsePass: string | null;
}

/**
 * The answer to a question as of another time. It has no number and no `answer`: it is never recorded, and no
 * release may rely on it.
 */
export interface GateAsOf {
  readonly asOf: string;
  readonly watchedAt: string | null;
  /** The strictest of all, as in a check. */
  readonly wouldBe: GateAnswer;
  readonly answers: readonly GateAnswerAsOf[];
}

/** Turns decisions that were evaluated as of another time into what they are. */
export function hypothetical(
  evaluated: Pick<GateAsOf, 'asOf' | 'watchedAt'>,
  decisions: readonly GateDecision[],
): GateAsOf {
  const { watchedAt } = evaluated;
  return {
    ...evaluated,
    wouldBe: summarize({ id: null, at: null, watchedAt }, decisions).answer,
    answers: decisions.map(({ answer, breakGlass, validUntil: _, ...rest }) => ({
      ...rest,
      wouldBe: answer,
      wouldUsePass: breakGlass,
    })),
  };
}

/** No decision was possible: every question is answered with a block. */
export function undecided(questions: readonly FullQuestion[], error: unknown): GateCheck {
  const known = error instanceof GcosError ? error : undefined;
  const reason = {
    code: known?.code ?? 'internal_error',
    scope: null,
    sentence: `it could not be decided: ${error instanceof Error ? error.message : String(error)}`,
  };
  const fixes = known === undefined ? [] : [{ what: known.help, who: [] }];
  return summarize(
    { id: null, at: null, watchedAt: null },
    questions.map((question) => ({
      ...{ subject: subjectOf(question), stage: question.stage, action: question.action },
      ...{ answer: 'block', mode: 'enforce', highRisk: true, breakGlass: null },
      ...{ reasons: [reason], fixes, evidence: [], validUntil: null },
    })),
  );
}
