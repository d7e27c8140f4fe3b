// Owns looking at exceptions: where each stands at a point in time, what it is about, and whether anything still needs it. Nothing of it is
// stored; need is read from what coverage found last.
import type { Transaction } from '../../db/index.js';
import { type RequestDetail, readRequestDetail } from '../../record/approval/index.js';
import { exceptionErrors } from './errors.js';
import type { ExceptionSubject } from './exception.js';
import { list, readDetail } from './read.sql.js';

/** Only `in_force` suppresses anything. */
export const EXCEPTION_STATUSES = [
  'in_force',
  'waiting',
  'changed',
  'expired',
  'revoked',
  'not_granted',
  'unratified',
  'dormant',
  'not_yet',
] as const;
export type ExceptionStatus = (typeof EXCEPTION_STATUSES)[number];

/** Why each stands where it does. */
const WHY: Readonly<Record<ExceptionStatus, string>> = {
  in_force: 'approved, not over, not taken back, and about what it was granted for',
  waiting: 'its request has not been approved yet',
  changed: 'what it is about is no longer what it was when it was asked for',
  expired: 'its time is over',
  revoked: 'somebody took it back',
  not_granted: 'its request was refused or taken back, or not approved before its end',
  unratified: 'no approved request is about exactly its terms',
  dormant: 'nothing it is about is relevant now',
  not_yet: 'it begins later',
};

export interface Exception {
  readonly code: string;
  readonly subject: ExceptionSubject;
  readonly scope: string;
  readonly link: string | null;
  readonly reason: string;
  readonly requestedBy: string;
  readonly grantedAt: string;
  readonly expiresAt: string;
  readonly approvalRef: string | null;
  readonly status: ExceptionStatus;
  /** Units it is about, and how many of them have a gap that it accepts; null where that was not asked for. */
  readonly units: { readonly covers: bigint; readonly needing: bigint } | null;
  /**
   * Whether anything would be an orphan without it; null where it accepts nothing anyway. That nothing needs it any more is no finding: the
   * catalogue has none for it, nothing is wrong, and by its end it goes away by itself. Whoever looks at it is told.
   */
  readonly needed: boolean | null;
}

export interface ExceptionDetail extends Exception {
  readonly why: string;
  readonly revoked: { readonly at: string; readonly by: string; readonly reason: string } | null;
  /** What its subject was and is, as hashes; null: nothing there is relevant now. */
  readonly fingerprint: { readonly atGrant: string; readonly now: string | null };
  /** The request it rests on, with every decision; null where it names none that GCOS knows. */
  readonly request: RequestDetail | null;
}

export interface ExceptionFilter {
  readonly code?: string;
  readonly status?: ExceptionStatus;
  readonly scope?: string;
  readonly limit?: number;
  readonly after?: string;
  /** Count the units, too. */
  readonly withUnits?: boolean;
}

function subjectOf(row: {
  readonly subject_kind: string;
  readonly collection_name: string | null;
  readonly entity_code: string | null;
  readonly inventory_key: string | null;
  readonly object_class: string | null;
}): ExceptionSubject {
  const collection = row.collection_name ?? '';
  if (row.subject_kind === 'object') return { kind: 'object', collection, code: row.entity_code ?? '' };
  if (row.subject_kind === 'group') return { kind: 'group', inventoryKey: row.inventory_key ?? '' };
  if (row.subject_kind === 'class') return { kind: 'class', objectClass: row.object_class ?? '' };
  return { kind: 'collection', collection };
}

/** Exceptions as they stand at `at`, by code. */
export async function readExceptions(
  tx: Transaction,
  at: string,
  filter: ExceptionFilter = {},
): Promise<readonly Exception[]> {
  const { status = null, after = null, code = null, scope = null, withUnits = false } = filter;
  const rows = await tx.run(list, {
    ...{ at, status, after, code, scope, withUnits },
    limit: BigInt(filter.limit ?? 1_000_000),
  });
  return rows.map((row) => ({
    code: row.exception_code,
    subject: subjectOf(row),
    scope: row.scope,
    link: row.link,
    reason: row.reason,
    requestedBy: row.requested_by,
    grantedAt: row.granted_at,
    expiresAt: row.expires_at,
    approvalRef: row.approval_ref,
    status: row.status as ExceptionStatus,
    units: withUnits ? { covers: row.units, needing: row.needing } : null,
    needed: withUnits && row.status === 'in_force' ? row.needing > 0n : null,
  }));
}

/** One exception at `at`; refused where there is none of that code. */
export async function requireException(
  tx: Transaction,
  code: string,
  at: string,
  options: { readonly withUnits?: boolean } = {},
): Promise<Exception> {
  const [found] = await readExceptions(tx, at, { code, ...options });
  if (found === undefined) throw exceptionErrors.exception_unknown(`there is no exception \`${code}\``);
  return found;
}

/** Everything about one exception. */
export async function readExceptionDetail(
  tx: Transaction,
  code: string,
  at: string,
): Promise<ExceptionDetail> {
  const exception = await requireException(tx, code, at, { withUnits: true });
  const row = await tx.one(readDetail, { code });
  const known = exception.approvalRef !== null && exception.status !== 'unratified';
  return {
    ...exception,
    why: WHY[exception.status],
    revoked:
      row.revoked_at === null
        ? null
        : { at: row.revoked_at, by: row.revoked_by ?? '', reason: row.revoke_reason ?? '' },
    fingerprint: { atGrant: row.fingerprint_at_grant, now: row.fingerprint_now },
    request: known ? await readRequestDetail(tx, exception.approvalRef ?? '') : null,
  };
}
