// Owns the exceptions in an explanation: those about the unit, their status, and whether the last outcome
// still matches the exceptions in force. Uses the same SQL predicate as scans and the ledger.
import type { Transaction } from '../../db/index.js';
import type { ExceptionStatus } from '../../rule/exception/index.js';
import { readAbout, readEffects } from './explain.sql.js';
import { shown } from './text.js';

export interface ExplainedException {
  readonly code: string;
  readonly status: ExceptionStatus;
  /** The link that may be missing; null: any link. */
  readonly link: string | null;
  readonly until: string;
  readonly sentence: string;
}

export interface ExceptionsOfUnit {
  /** By scope. */
  readonly about: ReadonlyMap<string, readonly ExplainedException[]>;
  /** Row → `exception_lapsed` or `exception_granted`, if it has not been re-evaluated since. */
  readonly changes: ReadonlyMap<bigint, string>;
  /**
   * Scopes in which an exception for the object itself is in force. An object that its container represents
   * has no row yet that shows it; the next scan writes one.
   */
  readonly ownInForce: ReadonlySet<string>;
}

const STANDS: Readonly<Record<ExceptionStatus, (until: string) => string>> = {
  in_force: (until) => `in force until ${until}`,
  waiting: () => 'waits for approval and accepts nothing yet',
  changed: () => 'no longer valid: its subject changed',
  expired: (until) => `no longer valid: expired at ${until}`,
  revoked: () => 'no longer valid: revoked',
  not_granted: () => 'never valid: it was not granted',
  unratified: () => 'accepts nothing: its terms were not approved',
  dormant: () => 'accepts nothing: none of its units is relevant',
  not_yet: () => 'accepts nothing yet: it begins later',
};

/** Reads the exceptions about one unit, and about the rows that represent it. */
export async function readExceptionsOf(
  tx: Transaction,
  at: string,
  unit: {
    readonly registry: string;
    readonly code: string | null;
    readonly inventoryKey: string;
    readonly objectClass: string;
    readonly rowIds: readonly bigint[];
  },
): Promise<ExceptionsOfUnit> {
  const { registry, code, inventoryKey, objectClass, rowIds } = unit;
  const about = new Map<string, ExplainedException[]>();
  const ownInForce = new Set<string>();
  for (const row of await tx.run(readAbout, { at, registry, code, inventoryKey, objectClass })) {
    const status = row.status as ExceptionStatus;
    const list = about.get(row.scope) ?? [];
    about.set(row.scope, list);
    if (row.subject_kind === 'object' && status === 'in_force') ownInForce.add(row.scope);
    list.push({
      code: row.exception_code,
      status,
      link: row.link,
      until: row.expires_at,
      sentence: `exception ${shown(row.exception_code)} for ${row.link ?? 'any link'}: ${STANDS[status](row.expires_at)}`,
    });
  }
  const changes = await tx.run(readEffects, { at, rowIds });
  return { about, ownInForce, changes: new Map(changes.map((row) => [row.row_id, row.change])) };
}

const CHANGES: Readonly<Record<string, string>> = {
  exception_lapsed:
    'the exception it rests on is no longer valid, and it has not been re-evaluated since: unverified',
  exception_granted:
    'an exception now accepts the missing link, and it has not been re-evaluated since: unverified',
};

/** The text to append to the sentence about a verdict. */
export const changeText = (change: string | null): string =>
  change === null ? '' : `; but ${CHANGES[change] ?? change.replaceAll('_', ' ')}`;
