// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const carry: Statement<
  {
    readonly from: string;
    readonly to: string;
    readonly reached: readonly string[];
    readonly known: readonly string[];
    readonly groupHashes: readonly string[];
    readonly basisHashes: readonly string[];
    readonly at: string;
    readonly runId: string;
  },
  {
    readonly groups_carried: bigint;
    readonly groups_dirtied: bigint;
    readonly groups_reused: bigint;
    readonly objects_carried: bigint;
    readonly objects_dirtied: bigint;
    readonly objects_reused: bigint;
  }
>;
