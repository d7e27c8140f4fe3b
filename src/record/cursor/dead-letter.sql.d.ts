// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const listRows: Statement<
  {
    readonly origin: string | null;
    readonly after: string | null;
    readonly limit: number;
  },
  {
    readonly id: string;
    readonly origin: string;
    readonly hint: string;
    readonly entity_table: string | null;
    readonly entity_ref: string | null;
    readonly error_count: number;
    readonly last_error: string | null;
    readonly dead_lettered_at: string | null;
    readonly lost: boolean;
  }
>;

export declare const showRow: Statement<
  {
    readonly id: string;
  },
  {
    readonly id: string;
    readonly hint: string;
    readonly entity_table: string | null;
    readonly entity_ref: string | null;
    readonly canonical_address: string | null;
    readonly error_count: number;
    readonly last_error: string | null;
    readonly processed_at: string | null;
    readonly capture_payload: string | null;
    readonly dead_lettered_at: string | null;
    readonly lost: boolean;
    readonly origin: string;
  }
>;

export declare const retryRows: Statement<
  {
    readonly ids: readonly string[] | null;
    readonly worker: string | null;
  },
  {
    readonly id: string;
    readonly origin: string;
  }
>;

export declare const countRows: Statement<
  Record<never, never>,
  {
    readonly origin: string;
    readonly letters: bigint;
  }
>;

export declare const listOrigins: Statement<
  Record<never, never>,
  {
    readonly origin: string;
  }
>;

export declare const deadSignalRows: Statement<
  {
    readonly ids: readonly string[] | null;
  },
  {
    readonly id: string;
    readonly order_no: bigint;
  }
>;
