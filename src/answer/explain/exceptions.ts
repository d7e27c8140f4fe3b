// Owns what an explanation says about exceptions: which there are about the unit, whether each holds, and whether what was found last still
// is what the exceptions in force make of it. The database says so, by the predicate that scans and ledger ask.
import type { Transaction } from '../../db/index.js';
import type { ExceptionStatus } from '../../rule/exception/index.js';
import { readAbout, readEffects } from './explain.sql.js';
import { shown } from './text.js';

export interface ExplainedException {
  readonly code: string;
  readonly status: ExceptionStatus;
  /** The link that may be missing; null: any. */
  readonly link: string | null;
  readonly until: string;
  readonly sentence: string;
}

export interface ExceptionsOfUnit {
  /** By scope. */
  readonly about: ReadonlyMap<string, readonly ExplainedException[]>;
  /** Row → `exception_lapsed` or `exception_granted`, where nobody has looked since. */
  readonly changes: ReadonlyMap<bigint, string>;
}

const STANDS: Readonly<Record<ExceptionStatus, (until: string) => string>> = {
  in_force: (until) => `in force until ${until}`,
  waiting: () => 'waits for its approval, and accepts nothing yet',
  changed: () => 'no longer holds: what it is about is not what it was',
  expired: (until) => `no longer holds: over since ${until}`,
  revoked: () => 'no longer holds: taken back',
  not_granted: () => 'never held: it was not granted',
  unratified: () => 'accepts nothing: nobody approved these terms',
  dormant: () => 'accepts nothing: nothing it is about is relevant',
  not_yet: () => 'accepts nothing yet: it begins later',
};

/** Reads what there is about one unit, and about the rows that speak for it. */
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
  for (const row of await tx.run(readAbout, { at, registry, code, inventoryKey, objectClass })) {
    const status = row.status as ExceptionStatus;
    const list = about.get(row.scope) ?? [];
    about.set(row.scope, list);
    list.push({
      code: row.exception_code,
      status,
      link: row.link,
      until: row.expires_at,
      sentence: `exception ${shown(row.exception_code)} for ${row.link ?? 'any link'}: ${STANDS[status](row.expires_at)}`,
    });
  }
  const changes = await tx.run(readEffects, { at, rowIds });
  return { about, changes: new Map(changes.map((row) => [row.row_id, row.change])) };
}

const CHANGES: Readonly<Record<string, string>> = {
  exception_lapsed: 'the exception it rests on no longer holds, and nobody has looked since: unverified',
  exception_granted: 'an exception accepts what is missing by now, and nobody has looked since: unverified',
};

/** What to add to the sentence about a verdict. */
export const changeText = (change: string | null): string =>
  change === null ? '' : `; but ${CHANGES[change] ?? change.replaceAll('_', ' ')}`;
