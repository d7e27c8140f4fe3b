// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const begin: Statement<
  {
    readonly runId: string;
    readonly kind: string;
    readonly mode: string | null;
    readonly snapshotRef: bigint | null;
    readonly rulesetVersion: string | null;
    readonly phase: string | null;
    readonly counts: string;
  },
  {
    readonly begun: boolean;
  }
>;

export declare const update: Statement<
  {
    readonly runId: string;
    readonly status: string;
    readonly snapshotRef: bigint | null;
    readonly closingSnapshotRef: bigint | null;
    readonly rulesetVersion: string | null;
    readonly phase: string | null;
    readonly counts: string | null;
    readonly proof: string | null;
    readonly ledger: string | null;
    readonly error: string | null;
  },
  {
    readonly written: boolean;
  }
>;

export declare const last: Statement<
  {
    readonly runId: string | null;
    readonly kind: string | null;
    readonly status: string | null;
    readonly mode: string | null;
    readonly closings: boolean;
    readonly afterAt: string | null;
    readonly afterId: string | null;
    readonly limit: bigint;
  },
  {
    readonly run_id: string;
    readonly kind: string;
    readonly mode: string | null;
    readonly status: string;
    readonly started_at: string;
    readonly finished_at: string | null;
    readonly source_snapshot_ref: bigint | null;
    readonly closing_snapshot_ref: bigint | null;
    readonly ruleset_version: string | null;
    readonly phase: string | null;
    readonly counts: string;
    readonly proof: string | null;
    readonly ledger: string | null;
    readonly error: string | null;
  }
>;
