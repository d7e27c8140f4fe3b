// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readClasses: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly object_class: string;
    readonly registry: string | null;
  }
>;

export declare const readRegistries: Statement<
  {
    readonly registries: readonly string[];
    readonly schema: string;
    readonly migrationColumns: readonly string[];
    readonly supersedesColumns: readonly string[];
  },
  {
    readonly registry: string;
    readonly present: boolean;
    readonly readable: boolean;
    readonly code_column: string | null;
    readonly has_status: boolean;
    readonly migration_column: string | null;
    readonly supersedes_column: string | null;
    readonly refers_to: string | null;
  }
>;

export declare const readInventoryRows: Statement<
  Record<never, never>,
  {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly unresolved_reason: string | null;
    readonly inherits: boolean;
    readonly member_count: bigint | null;
  }
>;

export declare const upsertInventory: Statement<
  {
    readonly at: string;
    readonly keys: readonly string[];
    readonly objectClasses: readonly string[];
    readonly sourceRegistries: readonly string[];
    readonly axisFamilies: readonly (string | null)[];
    readonly lifecycleStatuses: readonly (string | null)[];
    readonly reasons: readonly (string | null)[];
    readonly inherits: readonly boolean[];
  },
  {
    readonly created: boolean;
  }
>;

export declare const upsertGroups: Statement<
  {
    readonly keys: readonly string[];
    readonly inventoryKeys: readonly string[];
    readonly scopes: readonly string[];
    readonly owners: readonly (string | null)[];
    readonly anchors: readonly (string | null)[];
  },
  {
    readonly created: boolean;
  }
>;
