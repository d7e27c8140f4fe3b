// Owns the check that something was approved, for the rooms that act on approvals.
// INVARIANT: the quorum is worked out from the witnessed decisions; a status column alone approves nothing.
import type { Transaction } from '../../db/index.js';
import { approvalErrors } from './errors.js';
import { type ApprovalRequest, readRequest } from './request.js';

export interface ExpectedRequest {
  readonly action: string;
  /** Whether what was requested is what is about to be done. */
  readonly matches: (proposedAction: unknown) => boolean;
}

function whyNot(request: ApprovalRequest): string {
  if (request.standing === 'pending') return `it still lacks ${request.missing.join(' and ')}`;
  if (request.standing === 'foreign') return 'it was not opened through GCOS';
  if (request.standing === 'altered') return 'it was changed in the host after it was opened';
  if (request.standing === 'approved') return `the host says \`${request.hostStatus}\``;
  return `it was ${request.standing}`;
}

/** The request, if it is approved and about exactly this; otherwise it throws. */
export async function requireApproved(
  tx: Transaction,
  code: string,
  expected: ExpectedRequest,
): Promise<ApprovalRequest> {
  const request = await readRequest(tx, code);
  if (request.action !== expected.action) {
    throw approvalErrors.request_mismatch(
      `\`${code}\` is for \`${request.action}\`, not for \`${expected.action}\``,
    );
  }
  if (request.standing !== 'approved' || request.hostStatus !== 'approved')
    throw approvalErrors.request_not_approved(`\`${code}\` is not approved: ${whyNot(request)}`, {
      facts: { standing: request.standing, missing: request.missing },
    });
  if (!expected.matches(request.proposedAction))
    throw approvalErrors.request_mismatch(`\`${code}\` was approved for something else`);
  return request;
}
