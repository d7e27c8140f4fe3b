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
    readonly source: string | null;
    readonly at: string;
    readonly limit: number;
  },
  {
    readonly id: string;
    readonly entity_table: string;
    readonly entity_ref: string;
    readonly error_count: number;
    readonly last_error: string | null;
    readonly next_attempt_at: string;
    readonly source: string;
    readonly detail: string | null;
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
