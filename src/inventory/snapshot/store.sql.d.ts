// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const appendRow: Statement<
  {
    readonly scope: string;
    readonly metrics: string;
    readonly delta: string;
    readonly notes: string;
  },
  {
    readonly id: bigint;
    readonly at: string;
  }
>;

export declare const pruneRows: Statement<
  {
    readonly keep: number | null;
  },
  {
    readonly id: bigint;
    readonly scope: string;
  }
>;

export declare const readLatest: Statement<
  {
    readonly scope: string;
    readonly format: string;
  },
  {
    readonly id: bigint;
    readonly metrics: string;
  }
>;

export declare const readOne: Statement<
  {
    readonly id: bigint;
    readonly format: string;
  },
  {
    readonly id: bigint;
    readonly snapshot_at: string;
    readonly scope: string;
    readonly metrics: string;
    readonly delta: string;
    readonly notes: string | null;
    readonly in_use: boolean;
  }
>;

export declare const listRows: Statement<
  {
    readonly format: string;
    readonly after: bigint | null;
    readonly scope: string | null;
    readonly limit: bigint;
  },
  {
    readonly id: bigint;
    readonly snapshot_at: string;
    readonly scope: string;
    readonly run_id: string | null;
    readonly ruleset_version: string | null;
    readonly phase: string | null;
    readonly identity: string | null;
    readonly objects: bigint | null;
    readonly grain: bigint | null;
    readonly groups: number | null;
    readonly unresolved_groups: number | null;
    readonly drifted: number;
    readonly rebaseline: string | null;
    readonly in_use: boolean;
  }
>;

export declare const isFrozenRow: Statement<
  Record<never, never>,
  {
    readonly frozen: boolean;
  }
>;
