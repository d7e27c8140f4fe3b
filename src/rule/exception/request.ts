// Owns requesting an exception: the request and the exception row in one transaction, so that the exception
// is in force as soon as the quorum is reached, without a further step. A second request for the same terms
// opens nothing while the first waits or is in force.
import { readServerTime, sqlstateOf, type Transaction } from '../../db/index.js';
import { readRulesInForce, requireScope, rowsOf } from '../../host/index.js';
import { plainJson, requireKnown, requireTime } from '../../kernel/index.js';
import { openRequest } from '../../record/approval/index.js';
import { LINKS } from '../../record/finding/index.js';
import { exceptionErrors } from './errors.js';
import {
  EXCEPTION_ACTION,
  type ExceptionTerms,
  grantException,
  requestException,
  subjectParams,
} from './exception.js';
import { type Exception, requireException } from './read.js';
import { grantListed, lock, readEnd, readOpenGaps, readSame, resolveGroup } from './request.sql.js';

/** The gap to accept, and for how long: until a time, or for some seconds from now on. */
export type ExceptionRequest = Omit<ExceptionTerms, 'expiresAt'> &
  ({ readonly until: string } | { readonly seconds: number });

export interface ExceptionRequestOptions {
  readonly reason: string;
  readonly as?: string;
  /** Request another exception although one is in force, to continue after it. */
  readonly renew?: boolean;
}

export interface RequestedException {
  readonly exception: Exception;
  /** False: it was requested before, and nothing was opened. */
  readonly opened: boolean;
}

/** The links that GCOS looks for, and those for which the rules in force say what evidence is. */
async function knownLinks(tx: Transaction): Promise<readonly string[]> {
  const content = await readRulesInForce(tx);
  const row = rowsOf(content, 'settings').find((each) => each['setting_key'] === 'verdict.link_evidence');
  const rules = plainJson(row?.['setting_value'] ?? []) as readonly { readonly link?: string }[];
  return [...new Set([...LINKS, ...rules.flatMap((rule) => rule.link ?? [])])];
}

/**
 * INVARIANT: an exception is about a scope and a link that exist. One about another would accept nothing.
 */
async function requireTerms(tx: Transaction, { scope, link }: ExceptionRequest): Promise<void> {
  await requireScope(tx, scope);
  if (link !== undefined) requireKnown(link, { what: 'link', known: await knownLinks(tx) });
}

async function termsOf(tx: Transaction, request: ExceptionRequest, at: string): Promise<ExceptionTerms> {
  const expiresAt =
    'until' in request
      ? requireTime('until', request.until)
      : (await tx.one(readEnd, { at, seconds: request.seconds })).ends_at;
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

/** Opens the request and writes the exception that waits for it. The transaction must be read committed. */
export async function submitExceptionRequest(
  tx: Transaction,
  request: ExceptionRequest,
  options: ExceptionRequestOptions,
): Promise<RequestedException> {
  const { renew, as, reason } = options;
  await tx.one(lock, {});
  // After the lock: a session that waited for it must see what the one before it wrote as already granted.
  const at = await readServerTime(tx);
  await requireTerms(tx, request);
  const terms = await termsOf(tx, request, at);
  const [same] = await tx.run(readSame, { ...subjectParams(terms), at });
  if (same !== undefined) {
    const exception = await requireException(tx, same.exception_code, at, { withUnits: true });
    if (!(renew === true && exception.status === 'in_force')) return { exception, opened: false };
  }
  const who = as === undefined ? {} : { as };
  if (reason.trim() === '') throw exceptionErrors.exception_invalid('an exception needs a reason');
  const approvalRef = await requestException(tx, terms, { reason: reason.trim(), ...who });
  const code = await grantException(tx, terms, { reason, approvalRef, ...who });
  const exception = await requireException(tx, code, await readServerTime(tx), { withUnits: true });
  // A scan has changed the subject in between: the request and the row have different terms.
  if (exception.status !== 'waiting')
    throw exceptionErrors.exception_moved(`\`${code}\` would immediately be ${exception.status}`);
  return { exception, opened: true };
}

/** A link that one object lacks in one scope. */
export interface ObjectGap {
  readonly collection: string;
  readonly code: string;
  readonly scope: string;
  readonly link: string;
}

export interface RequestedGaps {
  /**
   * One request, and another one for objects of risk write_high, which their proposer never approves; none:
   * each gap has its exception already, or is none any more.
   */
  readonly approvalRefs: readonly string[];
  /** How many exceptions wait for them. */
  readonly exceptions: number;
}

/** All that a request lists is looked at whenever an exception counts: more would slow down every scan. */
const MOST_LISTED = 20_000;

/** Throws if no request may list so many gaps. */
export function requireListable(gaps: readonly ObjectGap[]): void {
  if (gaps.length > MOST_LISTED)
    throw exceptionErrors.exception_list_too_long(
      `${gaps.length.toLocaleString('en-US')} gaps are more than the ${MOST_LISTED.toLocaleString('en-US')} that one request may list`,
    );
}

const paramsOf = (gaps: readonly ObjectGap[]) => ({
  collections: gaps.map((each) => each.collection),
  codes: gaps.map((each) => each.code),
  scopes: gaps.map((each) => each.scope),
  links: gaps.map((each) => each.link),
});

/** How many of these gaps of objects have no exception that waits or is in force. */
export async function countOpenGaps(
  tx: Transaction,
  gaps: readonly ObjectGap[],
  until: string,
): Promise<number> {
  if (gaps.length === 0) return 0;
  requireListable(gaps);
  const at = await readServerTime(tx);
  const found = await tx.run(readOpenGaps, { ...paramsOf(gaps), at, until });
  return found.reduce((sum, each) => sum + Number(each.gaps), 0);
}

/** Opens the request that the terms make, and writes its exceptions. */
async function grantTerms(
  tx: Transaction,
  terms: string,
  { until, reason, as }: { readonly until: string; readonly reason: string; readonly as?: string },
): Promise<{ readonly approvalRef: string; readonly exceptions: number }> {
  const action = { exceptions: JSON.parse(terms) as unknown, reason: reason.trim() };
  const approvalRef = await openRequest(tx, EXCEPTION_ACTION, action, as === undefined ? {} : { as });
  const granted = await tx.one(grantListed, { approvalRef, as: as ?? null }).catch((error: unknown) => {
    if (sqlstateOf(error) !== 'UG030') throw error;
    throw exceptionErrors.exception_moved(`\`${approvalRef}\`: a scan has changed one of its subjects`);
  });
  if (granted.outcome === 'too_long')
    throw exceptionErrors.exception_too_long(`\`${until}\` is more than 90 days away, or in the past`);
  if (granted.outcome !== 'ok')
    throw exceptionErrors.exception_invalid(`the database refused: ${granted.outcome}`);
  return { approvalRef, exceptions: Number(granted.granted) };
}

/**
 * Opens the requests for exceptions of all these gaps, and writes them, or none. The transaction must be read
 * committed.
 */
export async function requestListed(
  tx: Transaction,
  gaps: readonly ObjectGap[],
  options: { readonly until: string; readonly reason: string; readonly as?: string },
): Promise<RequestedGaps> {
  if (gaps.length === 0) return { approvalRefs: [], exceptions: 0 };
  requireListable(gaps);
  await tx.one(lock, {});
  const at = await readServerTime(tx);
  const until = requireTime('until', options.until);
  const granted = [];
  for (const { terms } of await tx.run(readOpenGaps, { ...paramsOf(gaps), at, until }))
    granted.push(await grantTerms(tx, terms, options));
  return {
    approvalRefs: granted.map((each) => each.approvalRef),
    exceptions: granted.reduce((sum, each) => sum + each.exceptions, 0),
  };
}
