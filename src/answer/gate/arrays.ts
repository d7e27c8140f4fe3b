// Owns passing questions to the database and mapping the answers back. INVARIANT: every question has one
// answer.
import { gateErrors } from './errors.js';
import type { FullQuestion } from './question.js';

/** The arrays may contain NULL, which the declared element type does not allow. */
const nullable = (values: readonly (string | null)[]): readonly string[] => values as readonly string[];

/** The questions as parallel arrays. */
export function parallelArrays(questions: readonly FullQuestion[]) {
  return {
    collections: nullable(questions.map((each) => ('group' in each ? null : each.collection))),
    codes: nullable(questions.map((each) => ('group' in each ? null : each.code))),
    groups: nullable(questions.map((each) => ('group' in each ? each.group : null))),
    stages: questions.map((each) => each.stage),
    actions: questions.map((each) => each.action),
  };
}

/** Whom the caller says each question is asked for; null: no question has a claim. */
export function claimArrays(questions: readonly FullQuestion[]) {
  if (!questions.some((each) => each.claimedBy !== undefined))
    return { claimedTypes: null, claimedIds: null };
  return {
    claimedTypes: nullable(questions.map((each) => each.claimedBy?.type ?? null)),
    claimedIds: nullable(questions.map((each) => each.claimedBy?.id ?? null)),
  };
}

/** The answers in the order of the questions. */
export function answersTo<R extends { readonly item_nos: readonly number[] }>(
  questions: readonly FullQuestion[],
  rows: readonly R[],
): readonly R[] {
  const answers = new Array<R | undefined>(questions.length).fill(undefined);
  for (const row of rows) for (const no of row.item_nos) answers[no - 1] = row;
  if (answers.length !== questions.length || answers.includes(undefined))
    throw gateErrors.gate_unrecorded(
      `${questions.length} questions were asked, not all of them have an answer`,
    );
  return answers as readonly R[];
}
