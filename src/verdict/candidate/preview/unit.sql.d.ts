// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const readIsJudged: Statement<
  Record<never, never>,
  {
    readonly is_judged: boolean;
  }
>;

export declare const readStoredObjects: Statement<
  {
    readonly after: string;
    readonly pageSize: number;
  },
  {
    readonly object_key: string;
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const readRows: Statement<
  {
    readonly inventoryKeys: readonly string[];
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly row_id: bigint;
    readonly is_object: boolean;
    readonly inventory_key: string;
    readonly scope: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly code: string | null;
    readonly birth_id: bigint | null;
    readonly candidate_verdict: string;
    readonly verdict_line: number;
    readonly risk_class: string;
    readonly weight: number;
    readonly is_over: boolean;
    readonly is_gone: boolean;
    readonly is_ended: boolean;
    readonly coverage_outcome: string | null;
  }
>;
