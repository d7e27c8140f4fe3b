// Owns what a backfill tells about itself, as people and programs read it.
import { z } from 'zod';
import type { Ledger } from '../../verdict/index.js';

export type BackfillPhase = 'seeding' | 'reconciling' | 'tailing';

/** How the running fingerprints compare with an independent reading of the same state. */
export interface BackfillProof {
  readonly closed: boolean;
  /** False: the comparison was not allowed to take that long, and nothing is claimed. */
  readonly verified: boolean;
  /** Births that the running fingerprints lack. */
  readonly omitted: bigint;
  /** Births that they count more than once. */
  readonly duplicated: bigint;
  readonly mismatched_groups: readonly string[];
  /** Groups whose running fingerprint was right and was not recomputed in the round that compared it. */
  readonly proved_groups: number;
  /** Groups that are equal, but were computed anew in the round that compared them. */
  readonly rebased_groups: number;
  /** Groups that had to be computed anew before they agreed. */
  readonly repaired_groups: number;
  /** Births that could not be taken in; running + these = truth. */
  readonly set_aside: bigint;
}

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
  readonly proof: BackfillProof;
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

/** Numbers of any size are text in JSON. */
const whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const storedProof = z.object({
  closed: z.boolean(),
  verified: z.boolean(),
  omitted: whole,
  duplicated: whole,
  mismatched_groups: z.array(z.string()),
  proved_groups: z.number(),
  rebased_groups: z.number(),
  repaired_groups: z.number(),
  set_aside: whole,
});

/** A proof as it was kept with its run; null where none was, or somebody changed it into something else. */
export function parseProof(stored: unknown): BackfillProof | null {
  const parsed = storedProof.safeParse(stored);
  return parsed.success ? parsed.data : null;
}
