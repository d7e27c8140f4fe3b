// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const readAccountedRows: Statement<
  {
    readonly lastRow: bigint;
  },
  {
    readonly kind: string;
    readonly scope: string;
    readonly place: string;
    readonly rows: bigint;
    readonly rows_before: bigint;
    readonly last_row: bigint;
  }
>;

export declare const readLast: Statement<
  {
    readonly except: string;
    readonly any: boolean;
  },
  {
    readonly run_id: string;
    readonly kind: string;
    readonly mode: string | null;
    readonly status: string;
    readonly started_at: string;
    readonly finished_at: string | null;
    readonly ruleset_version: string | null;
    readonly source_snapshot_ref: bigint | null;
    readonly closing_snapshot_ref: bigint | null;
    readonly ledger: string;
  }
>;

export declare const readNames: Statement<
  {
    readonly keys: readonly string[];
  },
  {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
  }
>;

export declare const readChangeRows: Statement<
  {
    readonly at: string;
  },
  {
    readonly scope: string;
    readonly reason: string;
    readonly rows: bigint;
    readonly units: bigint;
  }
>;
