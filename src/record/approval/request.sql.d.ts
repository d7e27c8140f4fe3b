// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readPage: Statement<
  {
    readonly code: string | null;
    readonly hostStatus: string | null;
    readonly after: string | null;
    readonly limit: bigint;
  },
  {
    readonly code: string;
    readonly action_code: string;
    readonly host_status: string;
    readonly proposer: string;
    readonly proposed_action: string;
    readonly created_at: string;
    readonly proposer_verified: boolean | null;
    readonly proposer_level: string | null;
    readonly risk: string;
    readonly approvals: number;
    readonly rejections: number;
    readonly missing: string;
    readonly self_approved: boolean;
    readonly status: string;
  }
>;

export declare const listHostStatuses: Statement<
  Record<never, never>,
  {
    readonly status: string;
  }
>;

export declare const readDecisions: Statement<
  {
    readonly code: string;
  },
  {
    readonly person_ref: string;
    readonly approver_type: string;
    readonly decision: string;
    readonly login: string | null;
    readonly verified: boolean | null;
    readonly identity_level: string | null;
    readonly reason: string | null;
    readonly decided_at: string | null;
    readonly witnessed: boolean;
    readonly counts: boolean;
    readonly remark: string | null;
    readonly by_proposer: boolean;
  }
>;

export declare const readExistence: Statement<
  {
    readonly code: string;
  },
  {
    readonly action_code: string;
  }
>;
