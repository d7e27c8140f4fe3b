// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readScale: Statement<
  {
    readonly schema: string;
  },
  {
    readonly estimated_births: bigint;
    readonly never_analyzed: boolean;
  }
>;

export declare const readSnapshot: Statement<
  Record<never, never>,
  {
    readonly id: bigint;
    readonly snapshot_at: string;
    readonly scope: string;
  }
>;
