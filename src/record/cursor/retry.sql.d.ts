// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const recordFailureRows: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly round: string;
    readonly fence: bigint;
    readonly tables: readonly string[];
    readonly refs: readonly string[];
    readonly addresses: readonly string[];
    readonly errors: readonly string[];
    readonly details: readonly string[];
  },
  {
    readonly failed_table: string;
    readonly failed_ref: string;
    readonly failures: number;
    readonly next_attempt: string | null;
  }
>;

export declare const dueRetryRows: Statement<
  {
    readonly worker: string;
    readonly at: string;
    readonly source: string | null;
    readonly limit: number;
  },
  {
    readonly id: string;
    readonly failed_table: string;
    readonly failed_ref: string;
    readonly failures: number;
    readonly last_error: string;
    readonly source: string;
    readonly detail: string;
  }
>;

export declare const completeRetryRows: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly round: string;
    readonly fence: bigint;
    readonly ids: readonly string[];
  },
  {
    readonly completed: bigint;
  }
>;
