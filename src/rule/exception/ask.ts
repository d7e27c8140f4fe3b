// Owns asking for an exception: its request and its row in one transaction, so that it holds the moment the quorum is there and nobody has to
// do anything more. Asking for the same twice, while the first waits or holds, opens nothing.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { lock, readEnd, readSame, resolveGroup } from './ask.sql.js';
import { exceptionErrors } from './errors.js';
import { type ExceptionTerms, grantException, requestException, subjectParams } from './exception.js';
import { type Exception, requireException } from './read.js';

/** What somebody wants accepted, and for how long: until a time, or from now on for some seconds. */
export type ExceptionRequest = Omit<ExceptionTerms, 'expiresAt'> &
  ({ readonly until: string } | { readonly seconds: number });

export interface AskOptions {
  readonly mapping: HostMapping;
  readonly at: string;
  readonly reason: string;
  readonly as?: string;
  /** Ask although one is in force: another one, that goes on after it. */
  readonly renew?: boolean;
}

export interface RequestedException {
  readonly exception: Exception;
  /** False: it had been asked for before, and nothing was opened. */
  readonly opened: boolean;
}

async function termsOf(tx: Transaction, request: ExceptionRequest, at: string): Promise<ExceptionTerms> {
  const expiresAt =
    'until' in request ? request.until : (await tx.one(readEnd, { at, seconds: request.seconds })).ends_at;
  const { scope, link } = request;
  const base = { scope, expiresAt, ...(link === undefined ? {} : { link }) };
  if (request.subject.kind !== 'group') return { ...base, subject: request.subject };
  const [found] = await tx.run(resolveGroup, { key: request.subject.inventoryKey });
  if (found === undefined)
    throw exceptionErrors.exception_subject_unknown(
      `no group has the key \`${request.subject.inventoryKey}\``,
    );
  return { ...base, subject: { kind: 'group', inventoryKey: found.inventory_key } };
}

/** Opens the request and writes the exception down that waits for it; the transaction must be read committed. */
export async function askForException(
  tx: Transaction,
  request: ExceptionRequest,
  options: AskOptions,
): Promise<RequestedException> {
  const { at, renew, as, mapping, reason } = options;
  await tx.one(lock, {});
  const terms = await termsOf(tx, request, at);
  const [same] = await tx.run(readSame, { ...subjectParams(terms), at });
  if (same !== undefined) {
    const exception = await requireException(tx, same.exception_code, at, { withUnits: true });
    if (!(renew === true && exception.status === 'in_force')) return { exception, opened: false };
  }
  const who = as === undefined ? {} : { as };
  if (reason.trim() === '') throw exceptionErrors.exception_invalid('an exception needs a reason');
  const approvalRef = await requestException(tx, terms, { reason: reason.trim(), ...who });
  const code = await grantException(tx, terms, { mapping, at, reason, approvalRef, ...who });
  const exception = await requireException(tx, code, at, { withUnits: true });
  // A scan in between changed what it is about: the request is for something else than the row.
  if (exception.status !== 'waiting')
    throw exceptionErrors.exception_moved(`\`${code}\` would be ${exception.status} at once`);
  return { exception, opened: true };
}
