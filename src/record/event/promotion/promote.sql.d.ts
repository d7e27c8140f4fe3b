// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const promoteRows: Statement<
  {
    readonly limit: number;
    readonly since: string | null;
  },
  {
    readonly promoted: bigint;
    readonly failed: bigint;
    readonly dead_lettered: bigint;
    readonly more: boolean;
    readonly since: string;
  }
>;

export declare const redeliverRows: Statement<
  {
    readonly limit: number;
  },
  {
    readonly undelivered: bigint;
    readonly error: string | null;
  }
>;

export declare const surveyHeld: Statement<
  Record<never, never>,
  {
    readonly event_type: string;
    readonly registered: boolean;
    readonly active: boolean;
    readonly waiting: bigint;
    readonly waited_seconds: number;
    readonly dead_lettered: bigint;
  }
>;

export declare const listHeldTypes: Statement<
  Record<never, never>,
  {
    readonly event_type: string;
    readonly registered: boolean;
    readonly active: boolean;
    readonly waited_seconds: number;
  }
>;

export declare const countHeld: Statement<
  {
    readonly most: number;
    readonly types: readonly string[];
  },
  {
    readonly event_type: string;
    readonly waiting: bigint;
  }
>;

export declare const listKnownTypes: Statement<
  Record<never, never>,
  {
    readonly event_type: string;
  }
>;

export declare const listHeld: Statement<
  {
    readonly type: string | null;
    readonly deadLettered: boolean | null;
    readonly after: bigint | null;
    readonly limit: number;
  },
  {
    readonly order_no: bigint;
    readonly event_type: string;
    readonly subject_table: string;
    readonly subject_ref: string;
    readonly held_at: string;
    readonly dead_lettered: boolean;
    readonly error_count: number;
    readonly last_error: string | null;
  }
>;

export declare const retryHeld: Statement<
  {
    readonly orderNos: readonly bigint[];
  },
  {
    readonly revived: bigint;
  }
>;
