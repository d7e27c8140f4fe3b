// Owns the acts on exceptions: request, grant, revoke. Only the database decides whether an exception is in
// force at a point in time. Nothing here marks rows dirty: callers get the affected rows and mark them.
import type { Transaction } from '../../db/index.js';
import { currentActor, openRequest } from '../../record/approval/index.js';
import { exceptionErrors } from './errors.js';
import { grantRow, readTerms, revokeRow } from './exception.sql.js';

/** The subject of an exception: one object, one inventory group, a collection, or a class. */
export type ExceptionSubject =
  | { readonly kind: 'object'; readonly collection: string; readonly code: string }
  | { readonly kind: 'group'; readonly inventoryKey: string }
  | { readonly kind: 'collection'; readonly collection: string }
  | { readonly kind: 'class'; readonly objectClass: string };

export interface ExceptionTerms {
  readonly subject: ExceptionSubject;
  readonly scope: string;
  /** The link that may be missing; any link when omitted. */
  readonly link?: string;
  /** When it ends, as timestamptz text: every exception has an end. */
  readonly expiresAt: string;
}

export interface ExceptionActOptions {
  /** The person to act for. Only a login with that right may set it, and the identity is then unverified. */
  readonly as?: string;
}

/** The action under which an exception is requested. */
export const EXCEPTION_ACTION = 'gcos.exception.grant';

export function subjectParams({ subject, scope, link }: Omit<ExceptionTerms, 'expiresAt'>) {
  return {
    kind: subject.kind,
    collection: 'collection' in subject ? subject.collection : null,
    code: subject.kind === 'object' ? subject.code : null,
    inventoryKey: subject.kind === 'group' ? subject.inventoryKey : null,
    objectClass: subject.kind === 'class' ? subject.objectClass : null,
    scope,
    link: link ?? null,
  };
}

/** The subject of an exception as text. */
export function subjectText(subject: ExceptionSubject): string {
  if (subject.kind === 'object') return `${subject.collection} / ${subject.code}`;
  if (subject.kind === 'group') return `group ${subject.inventoryKey}`;
  return subject.kind === 'collection' ? `collection ${subject.collection}` : `class ${subject.objectClass}`;
}

const unknownSubject = ({ subject, scope }: Pick<ExceptionTerms, 'subject' | 'scope'>) =>
  exceptionErrors.exception_subject_unknown(
    `\`${subjectText(subject)}\` has no relevant verdict of its own in scope \`${scope}\``,
  );

/**
 * Opens the request for an exception with the current fingerprint of its subject; returns its code. An
 * approval is valid for exactly these terms.
 */
export async function requestException(
  tx: Transaction,
  terms: ExceptionTerms,
  options: { readonly reason: string; readonly as?: string },
): Promise<string> {
  const { terms: requested } = await tx.one(readTerms, {
    ...subjectParams(terms),
    expiresAt: terms.expiresAt,
  });
  if (requested === null) throw unknownSubject(terms);
  const action = { exception: JSON.parse(requested) as unknown, reason: options.reason };
  return openRequest(tx, EXCEPTION_ACTION, action, options.as === undefined ? {} : { as: options.as });
}

/**
 * Writes an exception. It is in force once `approvalRef` is an approved request for exactly these terms.
 * Returns its code.
 */
export async function grantException(
  tx: Transaction,
  terms: ExceptionTerms,
  options: ExceptionActOptions & { readonly reason: string; readonly approvalRef?: string },
): Promise<string> {
  const { reason, approvalRef, as } = options;
  if (reason.trim() === '') throw exceptionErrors.exception_invalid('an exception needs a reason');
  await currentActor(tx, as);
  const row = await tx.one(grantRow, {
    ...subjectParams(terms),
    reason: reason.trim(),
    expiresAt: terms.expiresAt,
    approvalRef: approvalRef ?? null,
    as: as ?? null,
  });
  if (row.outcome === 'subject_unknown') throw unknownSubject(terms);
  if (row.outcome === 'too_long')
    throw exceptionErrors.exception_too_long(`\`${terms.expiresAt}\` is later than an exception may end`);
  if (row.outcome === 'ends_before_it_begins')
    throw exceptionErrors.exception_invalid(`it would end at \`${terms.expiresAt}\`, before it starts`);
  if (row.outcome === 'approval_used')
    throw exceptionErrors.exception_approval_used(`request \`${approvalRef}\` already has its exception`);
  if (row.outcome === 'approval_differs')
    throw exceptionErrors.exception_moved(
      `request \`${approvalRef}\` is not about these terms, or their subject has changed since`,
    );
  if (row.outcome !== 'ok' || row.exception_code === null)
    throw exceptionErrors.exception_invalid(`the database refused: ${row.outcome}`);
  return row.exception_code;
}

/** Revokes an exception permanently. */
export async function revokeException(
  tx: Transaction,
  code: string,
  options: ExceptionActOptions & { readonly reason: string },
): Promise<void> {
  const { as } = options;
  const reason = options.reason.trim();
  if (reason === '') throw exceptionErrors.exception_invalid('revoking an exception needs a reason');
  await currentActor(tx, as);
  const row = await tx.one(revokeRow, { code, reason, as: as ?? null });
  if (row.outcome === 'exception_unknown')
    throw exceptionErrors.exception_unknown(`there is no exception \`${code}\` to revoke`);
  if (row.outcome !== 'ok') throw exceptionErrors.exception_invalid(`the database refused: ${row.outcome}`);
}
