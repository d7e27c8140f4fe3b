// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readDecisionRows: Statement<
  {
    readonly collections: readonly string[] | null;
  },
  {
    readonly collection_name: string;
    readonly governance_role: string | null;
    readonly coverage_status: string | null;
    readonly coverage_scope_status: string | null;
    readonly reason: string | null;
    readonly review_owner: string | null;
  }
>;
