// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const openRow: Statement<
  {
    readonly action: string;
    readonly proposedAction: string;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly request_code: string | null;
    readonly login: string;
  }
>;

export declare const decideRow: Statement<
  {
    readonly code: string;
    readonly decision: string;
    readonly reason: string | null;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly status: string | null;
    readonly person_ref: string | null;
    readonly approver_type: string | null;
    readonly login: string;
    readonly verified: boolean | null;
  }
>;

export declare const withdrawRow: Statement<
  {
    readonly code: string;
    readonly reason: string | null;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly status: string | null;
    readonly person_ref: string | null;
    readonly approver_type: string | null;
    readonly login: string;
    readonly verified: boolean | null;
  }
>;
