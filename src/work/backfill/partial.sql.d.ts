// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const addRows: Statement<
  {
    readonly part: number;
    readonly keys: readonly string[];
    readonly members: readonly bigint[];
    readonly grains: readonly bigint[];
    readonly maxBornAts: readonly string[];
    readonly maxIds: readonly bigint[];
    readonly h1s: readonly string[];
    readonly h2s: readonly string[];
  },
  {
    readonly inventory_key: string;
  }
>;

export declare const takeRows: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly unresolved_reason: string | null;
    readonly inherits: boolean;
    readonly member_count: bigint;
    readonly grain_count: bigint;
    readonly max_born_at: string;
    readonly max_id: bigint;
    readonly h1: string;
    readonly h2: string;
  }
>;
