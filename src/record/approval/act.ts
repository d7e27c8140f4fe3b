// Owns the actions on a request: open, decide, withdraw. The database decides whether an action is allowed;
// this file translates its outcome into an error. Each action runs in the caller's transaction, so that other
// modules can write the subject of a request in the same transaction.
import type { Transaction } from '../../db/index.js';
import type { GcosError } from '../../kernel/index.js';
import { decideRow, openRow, withdrawRow } from './act.sql.js';
import { actorProblem } from './actor.js';
import { requireApprovals } from './available.js';
import { approvalErrors } from './errors.js';

export interface ActOptions {
  /** The person to act for. Needs a login with that permission; the identity is then unverified. */
  readonly as?: string;
  readonly reason?: string;
}

const LONGEST_REASON = 2_000;

/** The reason in a form that can be stored; null if there is none. */
function cleanReason(reason: string | undefined): string | null {
  const text = reason?.trim() ?? '';
  if (text.length > LONGEST_REASON)
    throw approvalErrors.request_invalid(`a reason has at most ${LONGEST_REASON} characters`);
  if (text.includes('\0')) throw approvalErrors.request_invalid('a reason cannot contain a null character');
  return text === '' ? null : text;
}

function serialise(proposedAction: Readonly<Record<string, unknown>>): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(proposedAction);
  } catch (cause) {
    throw approvalErrors.request_invalid('the proposed action cannot be written as JSON', { cause });
  }
  if (text === undefined || !text.startsWith('{'))
    throw approvalErrors.request_invalid('the proposed action must be an object');
  // JSON text may contain a null character, but PostgreSQL's jsonb cannot store it.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text))
    throw approvalErrors.request_invalid('the proposed action cannot contain a null character');
  return text;
}

/** The error for an outcome of the database function; undefined if the outcome is `ok`. */
function problemOf(
  row: { outcome: string; person_ref: string | null; login: string },
  code: string,
  as: string | undefined,
  trustSchema: string,
): GcosError | undefined {
  const person = row.person_ref ?? as ?? row.login;
  switch (row.outcome) {
    case 'ok':
      return undefined;
    case 'request_unknown':
      return approvalErrors.request_unknown(`there is no request \`${code}\``);
    case 'request_foreign':
      return approvalErrors.request_foreign(`\`${code}\` was not opened through GCOS`);
    case 'request_altered':
      return approvalErrors.request_altered(`\`${code}\` was changed in the host after it was opened`);
    case 'request_closed':
      return approvalErrors.request_closed(`\`${code}\` is no longer pending`);
    case 'identity_unverified':
      return approvalErrors.identity_unverified(
        `\`${row.login}\` acts for \`${person}\`: an unverified identity does not count here`,
      );
    case 'identity_level':
      return approvalErrors.identity_level_refused(
        `\`${person}\` is identified by a token, and the policy does not count tokens for \`${code}\``,
      );
    case 'decision_by_proposer':
      return approvalErrors.decision_by_proposer(
        `\`${person}\` proposed \`${code}\` and may not decide on it`,
      );
    case 'self_approval_refused':
      return approvalErrors.self_approval_refused(
        `\`${person}\` proposed \`${code}\`: the policy accepts the proposer's approval, but not of this request`,
      );
    case 'decision_by_login':
      return approvalErrors.decision_by_proposer(
        `\`${code}\` was opened with the login \`${row.login}\`: one login is one person, also as \`${person}\``,
      );
    case 'decision_repeated':
      return approvalErrors.decision_repeated(`\`${person}\` has already decided on \`${code}\``);
    case 'decision_conflict':
      return approvalErrors.decision_conflict(
        `the host already has another decision of \`${person}\` on \`${code}\``,
      );
    case 'reason_missing':
      return approvalErrors.request_invalid('a rejection needs a reason', { help: 'give it with --reason' });
    case 'withdraw_by_other':
      return approvalErrors.withdraw_by_other(`\`${person}\` did not propose \`${code}\``);
    default:
      return (
        actorProblem(row.outcome, row.login, as ?? null, trustSchema) ??
        approvalErrors.request_invalid(`\`${code}\` was refused: ${row.outcome}`)
      );
  }
}

/** Opens a request and returns its code. */
export async function openRequest(
  tx: Transaction,
  action: string,
  proposedAction: Readonly<Record<string, unknown>>,
  options: Pick<ActOptions, 'as'> = {},
): Promise<string> {
  const text = serialise(proposedAction);
  await requireApprovals(tx);
  const row = await tx.one(openRow, { action, proposedAction: text, as: options.as ?? null });
  if (row.outcome === 'action_unknown')
    throw approvalErrors.action_unknown(`\`${action}\` is not an action that can be requested through GCOS`);
  const problem = problemOf({ ...row, person_ref: null }, action, options.as, tx.trustSchema);
  if (problem !== undefined) throw problem;
  return row.request_code ?? '';
}

/** Approves or rejects; the transaction must be read committed. */
export async function decideRequest(
  tx: Transaction,
  code: string,
  decision: 'approve' | 'reject',
  options: ActOptions = {},
): Promise<void> {
  const reason = cleanReason(options.reason);
  await requireApprovals(tx);
  const row = await tx.one(decideRow, { code, decision, reason, as: options.as ?? null });
  const problem = problemOf(row, code, options.as, tx.trustSchema);
  if (problem !== undefined) throw problem;
}

/** Withdraws a pending request; the transaction must be read committed. */
export async function withdrawRequest(
  tx: Transaction,
  code: string,
  options: ActOptions = {},
): Promise<void> {
  const reason = cleanReason(options.reason);
  await requireApprovals(tx);
  const row = await tx.one(withdrawRow, { code, reason, as: options.as ?? null });
  const problem = problemOf(row, code, options.as, tx.trustSchema);
  if (problem !== undefined) throw problem;
}
