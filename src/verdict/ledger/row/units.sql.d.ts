// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../../db/index.js';

export declare const pageGroupUnits: Statement<
  {
    readonly at: string;
    readonly scopes: readonly string[];
    readonly inventoryKey: string | null;
    readonly owner: string | null;
    readonly unowned: boolean;
    readonly afterKey: string;
    readonly afterScope: string;
    readonly term: string | null;
    readonly cause: string | null;
    readonly collection: string | null;
    readonly objectClass: string | null;
    readonly limit: bigint;
  },
  {
    readonly inventory_key: string;
    readonly scope: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly owner_scope: string | null;
    readonly risk_class: string;
    readonly candidate_verdict: string;
    readonly verdict_line: number;
    readonly coverage_outcome: string | null;
    readonly scan_time: string;
    readonly stale_after: string;
    readonly term: string;
    readonly cause: string;
  }
>;

export declare const pageObjectUnits: Statement<
  {
    readonly at: string;
    readonly scopes: readonly string[];
    readonly inventoryKey: string | null;
    readonly owner: string | null;
    readonly unowned: boolean;
    readonly afterKey: string;
    readonly afterScope: string;
    readonly term: string | null;
    readonly cause: string | null;
    readonly collection: string | null;
    readonly objectClass: string | null;
    readonly limit: bigint;
  },
  {
    readonly object_key: string;
    readonly collection_name: string;
    readonly entity_code: string;
    readonly birth_id: bigint | null;
    readonly inventory_key: string;
    readonly scope: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly owner_scope: string | null;
    readonly risk_class: string;
    readonly candidate_verdict: string;
    readonly verdict_line: number;
    readonly coverage_outcome: string | null;
    readonly scan_time: string;
    readonly stale_after: string;
    readonly term: string;
    readonly cause: string;
  }
>;

export declare const pageFailedUnits: Template<
  'members',
  {
    readonly scopes: readonly string[];
    readonly collections: readonly string[];
    readonly afterId: bigint;
    readonly afterScope: string;
    readonly limit: bigint;
  },
  {
    readonly birth_id: bigint;
    readonly scope: string;
    readonly collection_name: string;
    readonly entity_code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly member_status: string | null;
    readonly dead: boolean;
  }
>;

export declare const pageKeyless: Statement<
  {
    readonly scopes: readonly string[];
    readonly afterTable: bigint;
    readonly afterPlace: string;
    readonly afterScope: string;
    readonly limit: bigint;
  },
  {
    readonly table_id: bigint;
    readonly place: string;
    readonly scope: string;
    readonly birth_id: bigint | null;
    readonly collection_name: string | null;
    readonly entity_code: string | null;
  }
>;

export declare const listDimensions: Statement<
  Record<never, never>,
  {
    readonly source_registry: string;
    readonly object_class: string;
  }
>;

export declare const hasGroup: Statement<
  {
    readonly inventoryKey: string;
  },
  {
    readonly found: boolean;
  }
>;
