// Owns the report and the progress of a backfill, as users and programs read them.
import type { Ledger } from '../../verdict/ledger/index.js';
import type { Proof } from '../closing/index.js';

export type BackfillPhase = 'seeding' | 'reconciling' | 'tailing';

export interface BackfillReport {
  readonly run_id: string;
  readonly snapshot_id: bigint;
  readonly closing_snapshot_id: bigint | null;
  readonly ruleset_version: string;
  /** Whether the run resumed an earlier one. */
  readonly resumed: boolean;
  readonly scanned: bigint;
  readonly batches: number;
  readonly groups: bigint;
  readonly candidate_rows: bigint;
  readonly objects_materialized: bigint;
  readonly changed_rows: bigint;
  readonly dead_lettered: bigint;
  readonly retrying: bigint;
  readonly phase: BackfillPhase;
  readonly proof: Proof;
  /** Null if the comparison exceeded its time limit: nothing was counted. */
  readonly ledger: Ledger | null;
  readonly elapsed_ms: number;
}

export interface BackfillProgress {
  readonly step: 'snapshot' | 'sweep' | 'reconcile' | 'close' | 'pause';
  readonly done: number;
  readonly total: number;
  readonly rowsPerSecond?: number;
  readonly note?: string;
}
