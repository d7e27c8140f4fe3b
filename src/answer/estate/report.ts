// Owns the report about one estate: what it holds, and what would help most.
import type { EstateFlaw } from './flaw.js';
import type { EstateGap, EstateLack } from './gap.js';

export interface EstateUnit {
  readonly class: string;
  readonly collection: string;
  readonly code: string;
}

export interface EstateReport {
  readonly source: string;
  /** As of when the estate was read. */
  readonly readAt: string;
  readonly classes: readonly { readonly class: string; readonly objects: number }[];
  /** The objects that count one by one: the gate can be asked about each. */
  readonly units: readonly EstateUnit[];
  /** Parts of the estate that the source could not read, as they are not there. */
  readonly notRead: readonly { readonly part: string; readonly reason: string }[];
  readonly gaps: readonly EstateGap[];
  /** Every link that a unit lacks, also those that an exception accepts. */
  readonly lacks: readonly EstateLack[];
  readonly flaws: readonly EstateFlaw[];
  /** Detectors that could not run: what they would list is not known. */
  readonly notListed: number;
}
