// Owns how questions travel to the database and answers back: what many have in common travels once. INVARIANT: every question has one answer.
import { gateErrors } from './errors.js';
import type { FullQuestion } from './question.js';

/** NULL elements: the wire carries them, the declared element type does not say so. */
const nullable = (values: readonly (string | null)[]): readonly string[] => values as readonly string[];

/** One value stands for all. */
function inCommon(values: readonly string[]): readonly string[] {
  const [first] = values;
  return first !== undefined && values.every((each) => each === first) ? [first] : values;
}

/** Side by side, one place per question. */
export function sideBySide(questions: readonly FullQuestion[]) {
  return {
    collections: nullable(questions.map((each) => ('group' in each ? null : each.collection))),
    codes: nullable(questions.map((each) => ('group' in each ? null : each.code))),
    groups: questions.some((each) => 'group' in each)
      ? nullable(questions.map((each) => ('group' in each ? each.group : null)))
      : [],
    stages: inCommon(questions.map((each) => each.stage)),
    actions: inCommon(questions.map((each) => each.action)),
  };
}

/** Each question with the answer that names it. */
export function matchAnswers<R extends { readonly item_nos: readonly number[] }>(
  questions: readonly FullQuestion[],
  rows: readonly R[],
): readonly { readonly question: FullQuestion; readonly row: R }[] {
  const byItem: R[] = [];
  for (const row of rows) for (const no of row.item_nos) byItem[no - 1] = row;
  return questions.map((question, index) => {
    const row = byItem[index];
    if (row === undefined)
      throw gateErrors.gate_unrecorded(`${questions.length} were asked about, not all of them answered`);
    return { question, row };
  });
}
