// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const askGate: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly groups: readonly string[];
    readonly stages: readonly string[];
    readonly actions: readonly string[];
    readonly claimedTypes: readonly string[] | null;
    readonly claimedIds: readonly string[] | null;
  },
  {
    readonly check_id: bigint;
    readonly item_nos: readonly number[];
    readonly decided_at: string;
    readonly watched_at: string | null;
    readonly answer: string;
    readonly mode: string;
    readonly high_risk: boolean;
    readonly pass_code: string | null;
    readonly scopes: readonly string[];
    readonly snapshot_refs: readonly bigint[];
    readonly ruleset_versions: readonly string[];
    readonly scan_times: readonly string[];
    readonly reasons: string | null;
    readonly valid_until: string | null;
  }
>;

export declare const askGateAsOf: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly groups: readonly string[];
    readonly stages: readonly string[];
    readonly actions: readonly string[];
    readonly at: string;
  },
  {
    readonly item_nos: readonly number[];
    readonly as_of: string;
    readonly watched_at: string | null;
    readonly answer: string;
    readonly mode: string;
    readonly high_risk: boolean;
    readonly pass_code: string | null;
    readonly scopes: readonly string[];
    readonly snapshot_refs: readonly bigint[];
    readonly ruleset_versions: readonly string[];
    readonly scan_times: readonly string[];
    readonly reasons: string | null;
    readonly valid_until: string | null;
  }
>;

export declare const readDecisions: Statement<
  {
    readonly checkId: bigint;
    readonly after: number;
    readonly limit: bigint;
  },
  {
    readonly check_id: bigint;
    readonly item_no: number;
    readonly decided_at: string;
    readonly watched_at: string | null;
    readonly answer: string;
    readonly mode: string;
    readonly high_risk: boolean;
    readonly stage: string;
    readonly action: string;
    readonly login: string;
    readonly person_ref: string | null;
    readonly collection_name: string | null;
    readonly entity_code: string | null;
    readonly requested_group: string | null;
    readonly inventory_key: string | null;
    readonly pass_code: string | null;
    readonly scopes: readonly string[];
    readonly snapshot_refs: readonly bigint[];
    readonly ruleset_versions: readonly string[];
    readonly scan_times: readonly string[];
    readonly reasons: string | null;
    readonly claimed_type: string | null;
    readonly claimed_id: string | null;
    readonly valid_until: string | null;
  }
>;

export declare const listDecisions: Statement<
  {
    readonly beforeCheck: bigint | null;
    readonly beforeItem: number | null;
    readonly checkId: bigint | null;
    readonly answer: string | null;
    readonly stage: string | null;
    readonly action: string | null;
    readonly collection: string | null;
    readonly code: string | null;
    readonly group: string | null;
    readonly passed: boolean | null;
    readonly limit: bigint;
  },
  {
    readonly check_id: bigint;
    readonly item_no: number;
    readonly decided_at: string;
    readonly watched_at: string | null;
    readonly answer: string;
    readonly mode: string;
    readonly high_risk: boolean;
    readonly stage: string;
    readonly action: string;
    readonly login: string;
    readonly person_ref: string | null;
    readonly collection_name: string | null;
    readonly entity_code: string | null;
    readonly requested_group: string | null;
    readonly inventory_key: string | null;
    readonly pass_code: string | null;
    readonly scopes: readonly string[];
    readonly snapshot_refs: readonly bigint[];
    readonly ruleset_versions: readonly string[];
    readonly scan_times: readonly string[];
    readonly reasons: string | null;
    readonly claimed_type: string | null;
    readonly claimed_id: string | null;
    readonly valid_until: string | null;
  }
>;

export declare const readFilterNames: Statement<
  {
    readonly group: string | null;
    readonly checkId: bigint | null;
  },
  {
    readonly collections: readonly string[];
    readonly group_known: boolean;
    readonly check_known: boolean;
  }
>;

export declare const listChecks: Statement<
  {
    readonly before: bigint | null;
    readonly limit: bigint;
  },
  {
    readonly check_id: bigint;
    readonly decided_at: string;
    readonly login: string;
    readonly person_ref: string | null;
    readonly items: bigint;
    readonly allowed: bigint;
    readonly to_rescan: bigint;
    readonly blocked: bigint;
    readonly would_block: bigint;
    readonly passed: bigint;
    readonly first_subject: string | null;
  }
>;

export declare const pruneDecisions: Statement<
  {
    readonly before: string;
  },
  {
    readonly decisions: bigint;
    readonly checks: bigint;
  }
>;

export declare const readObserving: Statement<
  Record<never, never>,
  {
    readonly stage: string;
    readonly would_have_blocked: bigint;
  }
>;

export declare const previewAnswers: Statement<
  {
    readonly action: string;
    readonly items: readonly string[];
    readonly verdicts: readonly string[];
    readonly invalid: readonly string[];
    readonly required: readonly boolean[];
    readonly scanned: readonly boolean[];
    readonly outcomes: readonly string[];
    readonly lapsed: readonly boolean[];
    readonly owners: readonly string[];
    readonly profiles: readonly string[];
    readonly ended: readonly boolean[];
    readonly risks: readonly string[];
    readonly stage: string;
  },
  {
    readonly item: string;
    readonly answer: string;
    readonly high_risk: boolean;
    readonly codes: readonly string[];
  }
>;
