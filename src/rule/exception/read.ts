// Owns reading exceptions: the status of each at a point in time, its subject, and whether any unit still
// needs it. None of this is stored; the need comes from the last coverage evaluation.
import type { Transaction } from '../../db/index.js';
import { requireScope } from '../../host/index.js';
import { requireForm, requireKnown, requireLimit } from '../../kernel/index.js';
import { type RequestDetail, readRequestDetail } from '../../record/approval/index.js';
import { exceptionErrors } from './errors.js';
import type { ExceptionSubject } from './exception.js';
import { list, listScopes, readDetail } from './read.sql.js';

/** Only `in_force` suppresses a gap. */
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

/** The reason for each status. */
const WHY: Readonly<Record<ExceptionStatus, string>> = {
  in_force: 'approved, not expired, not revoked, and its subject is unchanged since the grant',
  waiting: 'its request has not been approved yet',
  changed: 'its subject has changed since it was requested',
  expired: 'its end has passed',
  revoked: 'a person revoked it',
  not_granted: 'its request was rejected or withdrawn, or not approved before its end',
  unratified: 'no approved request has exactly its terms',
  dormant: 'nothing of its subject is relevant now',
  not_yet: 'it starts later',
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
  /** The units it covers, and how many of them have a gap that it accepts; null when not requested. */
  readonly units: { readonly covers: bigint; readonly needing: bigint } | null;
  /**
   * Whether any unit would be an orphan without it; null when it is not in force. An exception that is no
   * longer needed raises no finding: nothing is wrong, and it ends by itself. `gcos exception show` reports
   * it.
   */
  readonly needed: boolean | null;
}

export interface ExceptionDetail extends Exception {
  readonly why: string;
  readonly revoked: { readonly at: string; readonly by: string; readonly reason: string } | null;
  /** The fingerprints of its subject at the grant and now; null: nothing of it is relevant now. */
  readonly fingerprint: { readonly atGrant: string; readonly now: string | null };
  /** Its request, with every decision; null when it names none that GCOS knows. */
  readonly request: RequestDetail | null;
}

export interface ExceptionFilter {
  readonly code?: string;
  readonly status?: ExceptionStatus;
  readonly scope?: string;
  readonly limit?: number;
  readonly after?: string;
  /** Also count the units. */
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

/** Throws if a status or a scope does not exist, or `after` is no code of an exception. */
export async function requireExceptionFilter(tx: Transaction, filter: ExceptionFilter): Promise<void> {
  const { status, scope, after, limit } = filter;
  if (limit !== undefined) requireLimit(limit);
  if (after !== undefined) requireForm('after', after, /^GEX-\d{1,18}$/, 'GEX-0001');
  if (status !== undefined) requireKnown(status, { what: 'status', known: EXCEPTION_STATUSES });
  if (scope !== undefined)
    await requireScope(tx, scope, async () => (await tx.run(listScopes, {})).map((row) => row.scope));
}

/** Exceptions with their status at `at`, by code. */
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

/** One exception at `at`; throws if there is none with this code. */
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

/** All details of one exception. */
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
