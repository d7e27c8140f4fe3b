// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const pruneRuns: Statement<
  {
    readonly limit: number;
  },
  {
    readonly pruned: bigint;
  }
>;

export declare const pruneRetries: Statement<
  {
    readonly limit: number;
  },
  {
    readonly pruned: bigint;
  }
>;

export declare const pruneHeld: Statement<
  {
    readonly limit: number;
  },
  {
    readonly pruned: bigint;
  }
>;

export declare const pruneDeliveries: Statement<
  {
    readonly limit: number;
  },
  {
    readonly pruned: bigint;
  }
>;

export declare const pruneDecisions: Statement<
  {
    readonly limit: number;
  },
  {
    readonly pruned: bigint;
  }
>;

export declare const pruneFeed: Statement<
  {
    readonly limit: number;
  },
  {
    readonly pruned: bigint;
  }
>;

export declare const readHistory: Statement<
  Record<never, never>,
  {
    readonly kind: string;
    readonly keep_days: number | null;
    readonly pruned: bigint;
    readonly pruned_at: string | null;
  }
>;
