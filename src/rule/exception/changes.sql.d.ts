// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const applyChanges: Statement<
  Record<never, never>,
  {
    readonly exception_code: string;
    readonly before: string | null;
    readonly status: string;
    readonly row_ids: readonly bigint[];
    readonly scope: string;
    readonly expires_at: string;
    readonly approval_ref: string | null;
  }
>;

export declare const readChanged: Statement<
  {
    readonly at: string;
  },
  {
    readonly moved: boolean;
  }
>;
