// Checks one object or group at the gate, and reads the reasons of the decision.
import type { Action, GateDecision, GateSubject, Stage } from '../../src/index.js';
import { resetClock, setClock } from './clock.js';
import type { Estate } from './estate.js';

export interface QuestionOptions {
  readonly stage?: Stage;
  readonly action?: Action;
  /** The time on the server's clock during the check. */
  readonly at?: string;
}

/** Checks one subject and returns the decision. */
export async function ask(
  estate: Estate,
  subject: GateSubject,
  request: QuestionOptions = {},
): Promise<GateDecision> {
  const { at, ...rest } = request;
  if (at !== undefined) await setClock(estate.url, { at });
  const { decisions } = await estate.gcos.gates.check([{ ...subject, ...rest }], { deadlineMs: 20_000 });
  if (at !== undefined) await resetClock(estate.url);
  const [decision] = decisions;
  if (decision === undefined) throw new Error('no decision');
  return decision;
}

export const codesOf = (decision: GateDecision): readonly string[] =>
  [...new Set(decision.reasons.map((each) => each.code))].sort();

/** The answer and the codes of its reasons as one comparable line. */
export const inShort = (decision: GateDecision): string => [decision.answer, ...codesOf(decision)].join(' ');
