// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readDue: Statement<
  {
    readonly at: string;
    readonly restMs: number;
    readonly expired: boolean;
    readonly risk: string;
    readonly limit: bigint;
  },
  {
    readonly inventory_key: string;
    readonly moved: boolean;
    readonly rows: bigint;
    readonly units: bigint;
    readonly exposure: number;
  }
>;

export declare const readBacklogRow: Statement<
  {
    readonly at: string;
    readonly risk: string;
  },
  {
    readonly groups: bigint;
    readonly objects: bigint;
    readonly all_groups: bigint;
    readonly oldest: string | null;
    readonly waited_seconds: number;
    readonly high_risk: boolean;
    readonly exposure: number;
  }
>;

export declare const readOldestMark: Statement<
  {
    readonly at: string;
  },
  {
    readonly waited_seconds: number;
  }
>;

export declare const countGroups: Statement<
  Record<never, never>,
  {
    readonly groups: bigint;
  }
>;
