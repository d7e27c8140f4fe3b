// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../../db/index.js';

export declare const readGroups: Statement<
  {
    readonly at: string;
    readonly groupKeys: readonly string[] | null;
    readonly inventoryKeys: readonly string[] | null;
    readonly scope: string | null;
    readonly past: boolean;
  },
  {
    readonly row_id: bigint;
    readonly group_key: string;
    readonly inventory_key: string;
    readonly scope: string;
    readonly owner_scope: string | null;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly inherits: boolean;
    readonly ruleset_version: string;
    readonly source_snapshot_ref: bigint;
    readonly snapshot_at: string | null;
    readonly scan_time: string;
    readonly stale_after: string;
    readonly candidate_verdict: string;
    readonly verdict_line: number;
    readonly evidence: string;
    readonly input_quality_state: string | null;
    readonly dirty: boolean;
    readonly dirty_reason: string | null;
    readonly dirtied_at: string | null;
    readonly depends_on: string;
    readonly recompute_status: string;
    readonly risk_class: string;
    readonly coverage_required: boolean;
    readonly coverage_outcome: string | null;
    readonly coverage_scan_ref: string | null;
    readonly coverage_evidence: string | null;
    readonly weight: number;
    readonly input_hash: string;
    readonly carried_from: string | null;
    readonly last_run_id: string;
    readonly row_state: string;
    readonly created_at: string;
    readonly updated_at: string;
    readonly valid: boolean;
    readonly invalid_reason: string | null;
  }
>;

export declare const readObjects: Statement<
  {
    readonly at: string;
    readonly collections: readonly string[] | null;
    readonly codes: readonly string[] | null;
    readonly inventoryKeys: readonly string[] | null;
    readonly past: boolean;
  },
  {
    readonly row_id: bigint;
    readonly collection_name: string;
    readonly entity_code: string;
    readonly materialization_reason: string;
    readonly reasons: readonly string[];
    readonly birth_id: bigint | null;
    readonly group_key: string;
    readonly inventory_key: string;
    readonly scope: string;
    readonly owner_scope: string | null;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly inherits: boolean;
    readonly ruleset_version: string;
    readonly source_snapshot_ref: bigint;
    readonly snapshot_at: string | null;
    readonly scan_time: string;
    readonly stale_after: string;
    readonly candidate_verdict: string;
    readonly verdict_line: number;
    readonly evidence: string;
    readonly input_quality_state: string | null;
    readonly dirty: boolean;
    readonly dirty_reason: string | null;
    readonly dirtied_at: string | null;
    readonly depends_on: string;
    readonly recompute_status: string;
    readonly risk_class: string;
    readonly coverage_required: boolean;
    readonly coverage_outcome: string | null;
    readonly coverage_scan_ref: string | null;
    readonly coverage_evidence: string | null;
    readonly weight: number;
    readonly input_hash: string;
    readonly carried_from: string | null;
    readonly last_run_id: string;
    readonly row_state: string;
    readonly created_at: string;
    readonly updated_at: string;
    readonly valid: boolean;
    readonly invalid_reason: string | null;
  }
>;

export declare const readHistoryRows: Statement<
  {
    readonly rowIds: readonly bigint[];
    readonly limit: bigint;
  },
  {
    readonly history_id: bigint;
    readonly row_id: bigint;
    readonly group_key: string;
    readonly collection_name: string | null;
    readonly entity_code: string | null;
    readonly scope: string;
    readonly ruleset_version: string;
    readonly source_snapshot_ref: bigint;
    readonly scan_time: string;
    readonly verdict_before: string | null;
    readonly verdict_after: string;
    readonly outcome_before: string | null;
    readonly outcome_after: string | null;
    readonly verdict_line: number;
    readonly cause: string;
    readonly run_id: string;
    readonly recorded_at: string;
  }
>;

export declare const readBirths: Template<
  'members',
  {
    readonly collection: string;
    readonly code: string;
  },
  {
    readonly id: bigint;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly born_at: string;
    readonly member_status: string | null;
    readonly listed: boolean;
  }
>;
