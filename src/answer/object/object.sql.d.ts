// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const pageBirths: Template<
  'members',
  {
    readonly after: bigint;
    readonly collection: string | null;
    readonly status: string | null;
    readonly byLifecycle: boolean;
    readonly inherits: boolean;
    readonly lifecycleStatus: string | null;
    readonly limit: bigint;
  },
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly entity_code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly born_at: string;
    readonly member_status: string | null;
  }
>;

export declare const countBirths: Template<
  'members',
  {
    readonly individual: readonly string[];
    readonly collection: string | null;
    readonly status: string | null;
    readonly byLifecycle: boolean;
    readonly inherits: boolean;
    readonly lifecycleStatus: string | null;
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly member_status: string | null;
    readonly births: bigint;
  }
>;

export declare const readOwners: Statement<
  {
    readonly inventoryKeys: readonly string[];
  },
  {
    readonly inventory_key: string;
    readonly scope: string;
    readonly owner_scope: string | null;
  }
>;

export declare const readOwnRows: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly object_key: string;
    readonly no: number;
    readonly scope: string;
    readonly owner_scope: string | null;
  }
>;

export declare const pageGroups: Statement<
  {
    readonly after: string;
    readonly inventoryKey: string | null;
    readonly collection: string | null;
    readonly objectClass: string | null;
    readonly owner: string | null;
    readonly limit: bigint;
  },
  {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly unresolved_reason: string | null;
    readonly inherits: boolean;
    readonly member_count: bigint | null;
    readonly grain_count: bigint | null;
    readonly recompute_needed: boolean;
    readonly first_seen_at: string;
  }
>;

export declare const hasStatus: Statement<
  {
    readonly status: string;
  },
  {
    readonly found: boolean;
  }
>;

export declare const listDimensions: Statement<
  Record<never, never>,
  {
    readonly source_registry: string;
    readonly object_class: string;
    readonly lifecycle_status: string | null;
  }
>;
