// Owns the input and the result of the ungrouped checks.
import type { RiskClass } from '../../../record/finding/index.js';
import type { Rules } from '../../candidate/index.js';
import type { FindingPage, Gap } from '../gap.js';
import type { CoverageRules } from '../rules.js';

/** `cheap`: changes through time alone, and the most recent log entries. */
export type Extent = 'everything' | 'cheap';

export interface CheckContext {
  readonly at: string;
  readonly rules: Rules;
  readonly coverage: CoverageRules;
  /**
   * The collections of the evaluated groups, when only the cheap checks run beside them; null: all checks
   * run.
   */
  readonly sources: ReadonlySet<string> | null;
  /**
   * For a preview, the state to check instead of the stored one: groups with members, and objects with rows.
   */
  readonly previewed?: {
    readonly groups: readonly {
      readonly sourceRegistry: string;
      readonly objectClass: string;
      readonly axisFamily: string | null;
    }[];
    readonly objects: readonly { readonly collection: string; readonly code: string }[];
  };
}

/** The risk of a subject as ownership names it: a collection, a class, or an object of a class. */
export function riskOf(rules: Rules, type: string, ref: string): { readonly riskClass?: RiskClass } {
  const profile =
    type === 'collection'
      ? rules.map.classOf(ref, null).profile
      : rules.profiles.get(type === 'class' ? ref : type);
  return profile == null ? {} : { riskClass: profile.riskClass as RiskClass };
}

/** The highest risk among several. */
export const highestRisk = (
  risks: readonly { readonly riskClass?: RiskClass }[],
): { readonly riskClass?: RiskClass } =>
  risks.some((each) => each.riskClass === 'write_high') ? { riskClass: 'write_high' } : {};

export interface UngroupedChecks {
  readonly pages: readonly FindingPage[];
  /** Whether an ungrouped check already reports this gap: one cause has one finding. */
  readonly hasFindingElsewhere: (gap: Gap) => boolean;
}
