// Owns reading GCOS's own requests with their status. INVARIANT: the host's status is only shown. The status
// that counts is computed, on every read, from the witnessed decisions: those made through GCOS.
import type { RowOf, Transaction } from '../../db/index.js';
import { requireKnown, requireLimit } from '../../kernel/index.js';
import type { ApproverType, IdentityLevel } from './actor.js';
import { requireApprovals } from './available.js';
import { approvalErrors } from './errors.js';
import { type Missing, missingText } from './quorum.js';
import { listHostStatuses, readDecisions, readExistence, readPage } from './request.sql.js';

/** foreign: not opened through GCOS · altered: the host's row was changed after the request was opened. */
export type RequestStatus = 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'foreign' | 'altered';

export interface ApprovalRequest {
  readonly code: string;
  readonly action: string;
  readonly risk: 'low' | 'medium' | 'high';
  readonly status: RequestStatus;
  /** The host's status column; other programs may write it. */
  readonly hostStatus: string;
  readonly proposer: string;
  /** Null if the request was not opened through GCOS. */
  readonly proposerVerified: boolean | null;
  /** How the proposer was identified; null as above. */
  readonly proposerLevel: IdentityLevel | null;
  readonly proposedAction: unknown;
  readonly createdAt: string;
  /** The number of approvals and of rejections that count. */
  readonly approvals: number;
  readonly rejections: number;
  /** Whether the approval of the proposer counts towards them. */
  readonly selfApproved: boolean;
  /** The missing approvals as texts; empty unless the request is pending. */
  readonly missing: readonly string[];
}

export interface Decision {
  readonly person: string;
  readonly approverType: ApproverType;
  readonly decision: 'approve' | 'reject' | 'withdraw';
  /** The login that made the decision, or token:ID; null if it was not made through GCOS. */
  readonly login: string | null;
  readonly verified: boolean | null;
  /** How the person was identified; null as above. */
  readonly level: IdentityLevel | null;
  readonly reason: string | null;
  readonly decidedAt: string | null;
  /** Made by the person who proposed the request. */
  readonly byProposer: boolean;
  readonly counts: boolean;
  /** Why it does not count. */
  readonly remark: string | null;
}

export interface RequestDetail extends ApprovalRequest {
  readonly decisions: readonly Decision[];
}

const REMARKS: Readonly<Record<string, string>> = {
  not_witnessed: 'not made through GCOS',
  host_differs: "differs from the host's row",
  unverified: 'unverified identity',
  identity_level: 'identified by a token, which the policy does not count for this risk',
  proposer: 'by the proposer',
};

function asRequest(row: RowOf<typeof readPage>): ApprovalRequest {
  return {
    code: row.code,
    action: row.action_code,
    risk: row.risk as ApprovalRequest['risk'],
    status: row.status as RequestStatus,
    hostStatus: row.host_status,
    proposer: row.proposer,
    proposerVerified: row.proposer_verified,
    proposerLevel: row.proposer_level as IdentityLevel | null,
    proposedAction: JSON.parse(row.proposed_action),
    createdAt: row.created_at,
    approvals: row.approvals,
    rejections: row.rejections,
    selfApproved: row.self_approved,
    missing: row.status === 'pending' ? missingText(JSON.parse(row.missing) as Missing[]) : [],
  };
}

/** Throws because GCOS's requests do not contain `code`; the error distinguishes the host's own requests. */
async function refuseForeign(tx: Transaction, code: string): Promise<never> {
  const [found] = await tx.run(readExistence, { code });
  if (found === undefined) throw approvalErrors.request_unknown(`there is no request \`${code}\``);
  throw approvalErrors.request_foreign(`\`${code}\` is the host's own request, for \`${found.action_code}\``);
}

export interface RequestPage {
  readonly hostStatus?: string;
  /** The code of the last request of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

/** The statuses that GCOS writes. */
const WRITTEN = ['pending', 'approved', 'rejected', 'withdrawn'];

/** GCOS's requests, newest first. */
export async function listRequests(tx: Transaction, page: RequestPage): Promise<ApprovalRequest[]> {
  await requireApprovals(tx);
  const { hostStatus = null, after = null } = page;
  const limit = requireLimit(page.limit);
  if (after !== null && (await tx.run(readExistence, { code: after })).length === 0)
    throw approvalErrors.request_unknown(`there is no request \`${after}\` to continue after`);
  if (hostStatus !== null) {
    const found = (await tx.run(listHostStatuses, {})).map((row) => row.status);
    requireKnown(hostStatus, { what: 'status of requests', known: [...new Set([...WRITTEN, ...found])] });
  }
  const rows = await tx.run(readPage, { code: null, hostStatus, after, limit: BigInt(limit) });
  return rows.map(asRequest);
}

/** One request with its status. */
export async function readRequest(tx: Transaction, code: string): Promise<ApprovalRequest> {
  await requireApprovals(tx);
  const [row] = await tx.run(readPage, { code, hostStatus: null, after: null, limit: 1n });
  return row === undefined ? refuseForeign(tx, code) : asRequest(row);
}

/** One request with all decisions on it, including those that do not count. */
export async function readRequestDetail(tx: Transaction, code: string): Promise<RequestDetail> {
  const request = await readRequest(tx, code);
  const rows = await tx.run(readDecisions, { code });
  return {
    ...request,
    decisions: rows.map((row) => ({
      person: row.person_ref,
      approverType: row.approver_type,
      decision: row.decision as Decision['decision'],
      login: row.login,
      verified: row.verified,
      level: row.identity_level as IdentityLevel | null,
      reason: row.reason,
      decidedAt: row.decided_at,
      byProposer: row.by_proposer,
      counts: row.counts,
      remark: row.remark === null ? null : (REMARKS[row.remark] ?? row.remark),
    })),
  };
}
