// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const readInputs: Statement<
  {
    readonly findsGone: boolean;
    readonly inventoryKeys: readonly string[] | null;
    readonly scopes: readonly string[];
  },
  {
    readonly group_key: string;
    readonly inventory_key: string;
    readonly scope: string;
    readonly owner_scope: string | null;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly unresolved_reason: string | null;
    readonly inherits: boolean;
    readonly member_count: string | null;
    readonly grain_count: string | null;
    readonly h1: string | null;
    readonly h2: string | null;
    readonly gone: boolean;
  }
>;

export declare const writeGroups: Statement<
  {
    readonly groupKeys: readonly string[];
    readonly inventoryKeys: readonly string[];
    readonly scopes: readonly string[];
    readonly owners: readonly (string | null)[];
    readonly verdicts: readonly string[];
    readonly lines: readonly number[];
    readonly evidence: readonly string[];
    readonly dependsOn: readonly string[];
    readonly riskClasses: readonly string[];
    readonly coverageRequired: readonly boolean[];
    readonly ttlSeconds: readonly bigint[];
    readonly weights: readonly number[];
    readonly inputHashes: readonly string[];
    readonly rowStates: readonly string[];
    readonly inputStates: readonly (string | null)[];
    readonly rulesetVersion: string;
    readonly at: string;
    readonly runId: string;
    readonly cause: string;
  },
  {
    readonly inserted: bigint;
    readonly changed: bigint;
    readonly renewed: bigint;
    readonly superseded: bigint;
    readonly recorded: bigint;
  }
>;

export declare const supersedeKeys: Statement<
  {
    readonly inventoryKeys: readonly string[] | null;
    readonly at: string;
    readonly runId: string;
  },
  {
    readonly group_key: string;
    readonly inventory_key: string;
    readonly scope: string;
    readonly objects: bigint;
  }
>;

export declare const supersedeScopes: Statement<
  {
    readonly at: string;
    readonly scopes: readonly string[];
    readonly inventoryKeys: readonly string[] | null;
  },
  {
    readonly groups: bigint;
    readonly objects: bigint;
  }
>;

export declare const readCurrentVerdicts: Statement<
  {
    readonly at: string;
    readonly rulesetVersion: string;
    readonly inventoryKeys: readonly string[] | null;
  },
  {
    readonly group_key: string;
    readonly input_hash: string;
    readonly candidate_verdict: string;
    readonly verdict_line: number;
    readonly row_state: string;
    readonly weight: number;
    readonly risk_class: string;
    readonly owner_scope: string | null;
    readonly holds: boolean;
    readonly cited: boolean;
  }
>;

export declare const readLiveScopes: Statement<
  Record<never, never>,
  {
    readonly scope: string;
  }
>;
