// Owns what coverage finds: a link that a unit lacks, and pages of findings to write about such gaps.
import type { FindingContext, Observation } from '../../record/finding/index.js';

/** A required link of one unit that nothing resolves. */
export interface Gap {
  readonly inventoryKey: string;
  readonly scope: string;
  readonly objectClass: string;
  readonly sourceRegistry: string;
  /** Null where the container itself is the unit. */
  readonly code: string | null;
  readonly link: string;
  /** More than one answers for it. */
  readonly conflict: boolean;
  readonly riskClass: string;
  /** The tool that executes it, where authority is missing. */
  readonly tool: string | null;
}

/** What to write, and what it has looked at completely. */
export interface FindingPage {
  readonly observations: readonly Observation[];
  readonly evaluated: NonNullable<FindingContext['evaluated']>;
}
