// Owns the proof of a closing run: what a comparison with the truth comes to, and how it is kept and read again.
import { z } from 'zod';
import type { Comparison } from '../../inventory/tail/index.js';

/** How the running fingerprints compare with an independent reading of the same state. */
export interface Proof {
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
export function parseProof(stored: unknown): Proof | null {
  const parsed = storedProof.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

export function proofOf(comparison: Comparison, repaired: ReadonlySet<string>, setAside: bigint): Proof {
  const differing = comparison.groups.filter((group) => group.outcome === 'differs');
  const sum = (values: readonly bigint[]) =>
    values.reduce((total, each) => (each > 0n ? total + each : total), 0n);
  return {
    closed: comparison.holds,
    verified: !comparison.notVerified,
    omitted: sum(differing.map(({ running, recount }) => recount.count - running.count)),
    duplicated: sum(differing.map(({ running, recount }) => running.count - recount.count)),
    mismatched_groups: differing.map((group) => group.inventoryKey),
    proved_groups: comparison.groups.filter((group) => group.outcome === 'proved').length,
    rebased_groups: comparison.groups.filter((group) => group.outcome === 'rebased').length,
    repaired_groups: repaired.size,
    set_aside: setAside,
  };
}
