// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const activate: Statement<
  {
    readonly version: string;
    readonly approvalRef: string;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly detail: string | null;
    readonly superseded: string | null;
    readonly activated_at: string | null;
    readonly person_ref: string | null;
    readonly verified: boolean | null;
    readonly login: string;
    readonly groups_carried: bigint | null;
    readonly groups_dirtied: bigint | null;
    readonly objects_carried: bigint | null;
    readonly objects_dirtied: bigint | null;
    readonly findings_stamped: bigint | null;
    readonly finished: boolean | null;
  }
>;

export declare const continueActivation: Statement<
  Record<never, never>,
  {
    readonly finished: boolean;
    readonly groups_carried: bigint;
    readonly groups_dirtied: bigint;
    readonly objects_carried: bigint;
    readonly objects_dirtied: bigint;
    readonly findings_stamped: bigint;
  }
>;
