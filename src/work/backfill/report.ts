// Owns the report and the progress of a backfill, as users and programs read them.
import type { Ledger } from '../../verdict/ledger/index.js';
import type { Proof } from '../closing/index.js';

export type BackfillPhase = 'seeding' | 'reconciling' | 'tailing';

export interface BackfillReport {
  readonly runId: string;
  readonly snapshotId: bigint;
  readonly closingSnapshotId: bigint | null;
  readonly rulesetVersion: string;
  /** Whether the run resumed an earlier one. */
  readonly resumed: boolean;
  readonly scanned: bigint;
  readonly batches: number;
  readonly groups: bigint;
  readonly candidateRows: bigint;
  readonly objectsMaterialized: bigint;
  readonly changedRows: bigint;
  readonly deadLettered: bigint;
  readonly retrying: bigint;
  readonly phase: BackfillPhase;
  readonly proof: Proof;
  /** Null if the comparison exceeded its time limit: nothing was counted. */
  readonly ledger: Ledger | null;
  readonly elapsedMs: number;
}

export interface BackfillProgress {
  readonly step: 'snapshot' | 'search' | 'sweep' | 'reconcile' | 'close' | 'pause';
  readonly done: number;
  readonly total: number;
  readonly rowsPerSecond?: number;
  readonly note?: string;
}
