// Owns the results of coverage: a missing link of a unit, and pages of findings about such gaps.
import type { FindingContext, Observation } from '../../record/finding/index.js';

/** A required link of one unit that does not resolve. */
export interface Gap {
  readonly inventoryKey: string;
  readonly scope: string;
  readonly objectClass: string;
  readonly sourceRegistry: string;
  /** Null when the container itself is the unit. */
  readonly code: string | null;
  readonly link: string;
  /** More than one owner claims the unit. */
  readonly conflict: boolean;
  readonly riskClass: string;
  /** The tool that executes the object, when its authority is missing. */
  readonly tool: string | null;
}

/** Findings to write, with the types and subjects that were evaluated completely. */
export interface FindingPage {
  readonly observations: readonly Observation[];
  readonly evaluated: NonNullable<FindingContext['evaluated']>;
}
