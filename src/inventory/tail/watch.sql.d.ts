// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readWatchRow: Statement<
  {
    readonly at: string;
    readonly source: string;
    readonly worker: string;
  },
  {
    readonly horizon: string | null;
    readonly horizon_age: bigint | null;
    readonly horizon_seconds: number | null;
    readonly max_id: string | null;
    readonly last_wide_at: string | null;
    readonly last_near_at: string | null;
    readonly seen: bigint;
    readonly gaps: bigint;
  }
>;
