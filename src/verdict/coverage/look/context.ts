// Owns what every look at ungrouped checks is told, and what all of them together return.
import type { Rules } from '../../candidate/index.js';
import type { FindingPage, Gap } from '../gap.js';
import type { CoverageRules } from '../rules.js';

/** `cheap`: what time alone changes, and what was noted last. */
export type Extent = 'everything' | 'cheap';

export interface LookContext {
  readonly at: string;
  readonly rules: Rules;
  readonly coverage: CoverageRules;
  /** The collections whose groups are looked at, where only what is cheap is looked at beside them; null: everything is. */
  readonly sources: ReadonlySet<string> | null;
  /** What would be there, where that is asked instead of what is: groups with members, and objects with rows. */
  readonly previewed?: {
    readonly groups: readonly {
      readonly sourceRegistry: string;
      readonly objectClass: string;
      readonly axisFamily: string | null;
    }[];
    readonly objects: readonly { readonly collection: string; readonly code: string }[];
  };
}

export interface UngroupedChecks {
  readonly pages: readonly FindingPage[];
  /** Whether a gap has a finding here already: one cause, one finding. */
  readonly hasFindingElsewhere: (gap: Gap) => boolean;
}
