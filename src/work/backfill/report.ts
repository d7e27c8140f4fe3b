// Owns what a backfill tells about itself, as people and programs read it.
import type { Ledger } from '../../verdict/ledger/index.js';
import type { Proof } from '../closing/index.js';

export type BackfillPhase = 'seeding' | 'reconciling' | 'tailing';

export interface BackfillReport {
  readonly run_id: string;
  readonly snapshot_id: bigint;
  readonly closing_snapshot_id: bigint | null;
  readonly ruleset_version: string;
  /** Whether the run went on where an earlier one had stopped. */
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
  /** Null where the comparison was not allowed to take that long: then nothing was counted. */
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
