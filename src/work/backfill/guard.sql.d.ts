// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readLoad: Statement<
  Record<never, never>,
  {
    readonly lock_waits: bigint;
    readonly replication_lag_seconds: number;
  }
>;
