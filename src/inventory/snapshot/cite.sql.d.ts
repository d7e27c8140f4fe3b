// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readUncited: Statement<
  {
    readonly inventoryKeys: readonly string[];
    readonly uncounted: boolean;
    readonly forObjects: boolean;
  },
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
    readonly max_born_at: string | null;
    readonly max_id: bigint | null;
    readonly h1: string;
    readonly h2: string;
  }
>;

export declare const noteCaptured: Statement<
  {
    readonly snapshotRef: bigint;
    readonly inventoryKeys: readonly string[];
    readonly fingerprints: readonly string[];
  },
  Record<never, never>
>;
