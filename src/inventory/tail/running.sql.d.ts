// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const knownKeys: Statement<
  {
    readonly keys: readonly string[];
  },
  {
    readonly inventory_key: string;
  }
>;

export declare const addParts: Statement<
  {
    readonly keys: readonly string[];
    readonly members: readonly bigint[];
    readonly grains: readonly bigint[];
    readonly maxBornAts: readonly string[];
    readonly maxIds: readonly bigint[];
    readonly h1s: readonly string[];
    readonly h2s: readonly string[];
    readonly fresh: readonly string[];
  },
  {
    readonly inventory_key: string;
  }
>;

export declare const markRows: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
  }
>;

export declare const isMarkedRow: Statement<
  Record<never, never>,
  {
    readonly marked: boolean;
  }
>;

export declare const countMembers: Statement<
  Record<never, never>,
  {
    readonly births: bigint;
  }
>;

export declare const zeroRows: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
  }
>;

export declare const replaceRows: Statement<
  {
    readonly keys: readonly string[];
    readonly members: readonly bigint[];
    readonly grains: readonly bigint[];
    readonly maxBornAts: readonly string[];
    readonly maxIds: readonly bigint[];
    readonly h1s: readonly string[];
    readonly h2s: readonly string[];
    readonly part: string;
    readonly individual: readonly string[];
  },
  {
    readonly inventory_key: string;
    readonly before: bigint | null;
    readonly after: bigint;
    readonly changed: boolean;
  }
>;

export declare const readRows: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly member_count: bigint | null;
    readonly grain_count: bigint | null;
    readonly max_born_at: string | null;
    readonly max_id: bigint | null;
    readonly h1: string | null;
    readonly h2: string | null;
    readonly recompute_needed: boolean;
  }
>;
