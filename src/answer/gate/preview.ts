// Owns foreseeing the gate: what it would answer if things were believed to be as the caller says. Asks the same SQL as the gate itself, in one
// statement for any number of units; reads no state and writes nothing.
import type { Transaction } from '../../db/index.js';
import type { GateAnswer } from './decision.js';
import { previewAnswers } from './gate.sql.js';
import { type Action, DEFAULT_ACTION, DEFAULT_STAGE, type Stage } from './question.js';

/** One unit in one scope, as a row of governance_candidate_state or governance_candidate_object would say it. */
export interface PreviewedUnit {
  /** What the answer is about: units of one name are answered together, as the scopes of one object are. */
  readonly item: string;
  readonly verdict: string;
  /** The reason of governance_validity(); null: it holds. */
  readonly invalid: string | null;
  readonly coverageRequired: boolean;
  /** Whether coverage was looked at since the verdict was given. */
  readonly scanned: boolean;
  readonly outcome: string | null;
  /** Of an outcome that rests on exceptions: whether one of them does not hold. */
  readonly lapsed: boolean;
  readonly owner: string | null;
  /** The code of its profile; null: none is known. */
  readonly profile: string | null;
  readonly riskClass: string | null;
}

export interface PreviewedAnswer {
  readonly answer: GateAnswer;
  readonly highRisk: boolean;
  /** What speaks against it, by code. Findings, ledger and workers are not part of it: they concern the moment of asking. */
  readonly codes: readonly string[];
}

const nullable = <T>(values: readonly (T | null)[]): readonly T[] => values as readonly T[];

/** Item → what the gate would answer about it. */
export async function gateAnswers(
  tx: Transaction,
  units: readonly PreviewedUnit[],
  options: { readonly stage?: Stage; readonly action?: Action } = {},
): Promise<ReadonlyMap<string, PreviewedAnswer>> {
  if (units.length === 0) return new Map();
  const rows = await tx.run(previewAnswers, {
    items: units.map((unit) => unit.item),
    verdicts: units.map((unit) => unit.verdict),
    invalid: nullable(units.map((unit) => unit.invalid)),
    required: units.map((unit) => unit.coverageRequired),
    scanned: units.map((unit) => unit.scanned),
    outcomes: nullable(units.map((unit) => unit.outcome)),
    lapsed: units.map((unit) => unit.lapsed),
    owners: nullable(units.map((unit) => unit.owner)),
    profiles: nullable(units.map((unit) => unit.profile)),
    risks: nullable(units.map((unit) => unit.riskClass)),
    stage: options.stage ?? DEFAULT_STAGE,
    action: options.action ?? DEFAULT_ACTION,
  });
  return new Map(
    rows.map((row) => [
      row.item,
      { answer: row.answer as GateAnswer, highRisk: row.high_risk, codes: row.codes },
    ]),
  );
}
