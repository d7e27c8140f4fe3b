// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const findReferring: Statement<
  {
    readonly approvals: readonly string[];
  },
  {
    readonly source: string;
    readonly row_key: string;
    readonly facts: string;
  }
>;

export declare const findExecuted: Statement<
  {
    readonly tools: readonly string[];
  },
  {
    readonly tool: string;
    readonly inventory_key: string;
  }
>;
