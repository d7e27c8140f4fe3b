// Owns the preview of the gate: its answers for hypothetical units. Uses the same SQL as the gate, in one
// statement for any number of units; reads no state and writes nothing.
import type { Transaction } from '../../db/index.js';
import type { GateAnswer } from './decision.js';
import { previewAnswers } from './gate.sql.js';
import { type Action, DEFAULT_ACTION, DEFAULT_STAGE, type Stage } from './question.js';

/**
 * One unit in one scope, with the properties of a row of governance_candidate_state or
 * governance_candidate_object.
 */
export interface PreviewedUnit {
  /**
   * The subject of the answer: units with the same item are answered together, like the scopes of one object.
   */
  readonly item: string;
  readonly verdict: string;
  /** The reason returned by governance_validity(); null: valid. */
  readonly invalid: string | null;
  readonly coverageRequired: boolean;
  /** Whether coverage was scanned since the verdict was written. */
  readonly scanned: boolean;
  readonly outcome: string | null;
  /** For an outcome that rests on exceptions: whether one of them has lapsed. */
  readonly lapsed: boolean;
  readonly owner: string | null;
  /** The code of its profile; null: unknown. */
  readonly profile: string | null;
  /** Whether its lifecycle has ended. */
  readonly ended: boolean;
  readonly riskClass: string | null;
}

export interface PreviewedAnswer {
  readonly answer: GateAnswer;
  readonly highRisk: boolean;
  /**
   * The reason codes. Findings, ledger and workers are not included: they depend on the time of the check.
   */
  readonly codes: readonly string[];
}

const nullable = <T>(values: readonly (T | null)[]): readonly T[] => values as readonly T[];

/** Item → the previewed answer. */
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
    ended: units.map((unit) => unit.ended),
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
