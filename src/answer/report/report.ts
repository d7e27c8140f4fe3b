// Owns the form of a report: what a pipeline is told, before it is written as text, SARIF, JUnit XML or
// annotations. A report is made of results; each has one cause, one fix and a fingerprint that stays the same
// from run to run.
import { canonicalJson, domainHash } from '../../kernel/index.js';

/** pass: looked at, and fine. */
export type Level = 'error' | 'warning' | 'note' | 'pass';

export interface ReportSubject {
  /** To read: `collection orders in scope execution`. */
  readonly name: string;
  /** Its key, to read; the fingerprint tells subjects with the same one apart. */
  readonly key: string;
  /** object, group, collection … */
  readonly kind: string;
}

export interface ReportResult {
  /** The kind of problem: the type of a finding, the code of a reason. */
  readonly rule: string;
  readonly level: Level;
  readonly message: string;
  /** What to do, with the actor or as a statement; null if nothing is known. */
  readonly fix: string | null;
  readonly subjects: readonly ReportSubject[];
  /** The same problem of the same subject has the same one in every run. */
  readonly fingerprint: string;
  /** The exception that accepts it, with its reason; null: it is not accepted. */
  readonly accepted: { readonly by: string; readonly reason: string; readonly until: string } | null;
}

export interface Report {
  /** The command that made it. */
  readonly title: string;
  /** The version of GCOS. */
  readonly version: string;
  readonly results: readonly ReportResult[];
}

/** The fingerprint of what is given. */
export const fingerprintOf = (...parts: readonly (string | null)[]): string =>
  domainHash('gcos-report', canonicalJson(parts)).slice(0, 32);

/** Whether a result is a problem that no exception accepts. */
export const isOpen = ({ level, accepted }: ReportResult): boolean => level !== 'pass' && accepted === null;
