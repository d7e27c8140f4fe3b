// Owns the proof of a closing run: the result of the comparison with the independent recount, stored and
// parsed.
import { z } from 'zod';
import type { Comparison } from '../../inventory/tail/index.js';

/** The comparison of the running fingerprints with an independent recount of the same state. */
export interface Proof {
  readonly closed: boolean;
  /** False: the comparison exceeded its time limit, and nothing is claimed. */
  readonly verified: boolean;
  /** Births missing from the running fingerprints. */
  readonly omitted: bigint;
  /** Births that the running fingerprints count more than once. */
  readonly duplicated: bigint;
  readonly mismatchedGroups: readonly string[];
  /** Groups whose running fingerprint was equal without a recomputation in the comparing round. */
  readonly provedGroups: number;
  /** Groups that are equal, but were recomputed in the comparing round. */
  readonly rebasedGroups: number;
  /** Groups that were recomputed before they were equal. */
  readonly repairedGroups: number;
  /** Births that could not be taken in. INVARIANT: running + set_aside = recount. */
  readonly setAside: bigint;
}

/** Bigints are stored as text in JSON. */
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

/** The stored proof of a run; null if there is none or it does not parse. */
export function parseProof(stored: unknown): Proof | null {
  const parsed = storedProof.safeParse(stored);
  if (!parsed.success) return null;
  const {
    mismatched_groups: mismatchedGroups,
    proved_groups: provedGroups,
    rebased_groups: rebasedGroups,
    repaired_groups: repairedGroups,
    set_aside: setAside,
    ...rest
  } = parsed.data;
  return { ...rest, mismatchedGroups, provedGroups, rebasedGroups, repairedGroups, setAside };
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
    mismatchedGroups: differing.map((group) => group.inventoryKey),
    provedGroups: comparison.groups.filter((group) => group.outcome === 'proved').length,
    rebasedGroups: comparison.groups.filter((group) => group.outcome === 'rebased').length,
    repairedGroups: repaired.size,
    setAside,
  };
}
