// Owns starting and restarting the tail: the start beside a sweep, and the restart (rebase) when the horizon
// is no longer valid or too many rows changed. One transaction resets horizon, memory and highest id.
import type { Transaction } from '../../db/index.js';
import type { Lease } from '../../record/cursor/index.js';
import { type ClassMap, readClassMap } from '../group/index.js';
import { boundsOf } from '../snapshot/index.js';
import { type Facts, type RebaseReason, readFacts } from './horizon.js';
import type { TailLimits } from './limits.js';
import { forgetAll, rememberSince } from './memory.js';
import { noteReview } from './review.js';
import { markAllGroups, type Recomputed, recompute } from './running.js';
import { countKeyless, readMemberDigest } from './source.js';
import { restart, stateFrom, type TailState } from './state.js';

export interface StartedTail {
  /** The sweep reads only rows older than this. */
  readonly horizon: string;
  /** No id at or below it is certainly new; null when there are no births yet. */
  readonly maxId: bigint | null;
  readonly at: string;
}

/**
 * Starts the tail, in the caller's repeatable-read transaction under the lease, with the horizon and the
 * highest id of its snapshot. Running fingerprints stay unchanged: a sweep builds them from rows older than
 * the horizon, and the rounds add the rest.
 */
export async function startTail(
  tx: Transaction,
  lease: Lease,
  options: { readonly schema: string; readonly reason?: string },
): Promise<StartedTail> {
  const facts = await readFacts(tx);
  const map = await readClassMap(tx, options.schema);
  const maxId = (await boundsOf(tx))?.last ?? null;
  await forgetAll(tx);
  const state = stateFrom(facts, {
    maxId,
    classMap: map.digest,
    members: await readMemberDigest(tx, map),
    ranges: 1,
  });
  await restart(tx, lease, state, {
    reason: options.reason ?? 'the tail starts',
    summary: { started: true, horizon: facts.horizon, max_id: String(maxId) },
  });
  return { horizon: facts.horizon, maxId, at: facts.at };
}

export interface Rebased {
  readonly state: TailState;
  /** Null while recomputation is deferred. */
  readonly recomputed: Recomputed | null;
  readonly marked: number;
  /** Births without a key. */
  readonly keyless: bigint;
}

/**
 * As long as an older transaction is open, later rounds read rows again that a rebase has read. Those it does
 * not remember would make each of these rounds a rebase.
 */
const MOST_REMEMBERED = 1_000_000;

/**
 * Reads the whole table again and restarts from this snapshot. While recomputation is deferred, it marks the
 * groups instead. It requests a review, because it does not know which births changed.
 */
export async function rebase(
  tx: Transaction,
  lease: Lease,
  reading: {
    readonly facts: Facts;
    readonly map: ClassMap;
    readonly members: string;
    readonly limits: TailLimits;
    readonly limitMs: number;
    readonly now: boolean;
    readonly ranges: number;
  },
  reason: RebaseReason,
): Promise<Rebased> {
  const { facts, map, members, limits, limitMs, ranges } = reading;
  const maxId = (await boundsOf(tx))?.last ?? null;
  await forgetAll(tx);
  await rememberSince(tx, facts, { limitMs, limit: Math.max(limits.rebaseRows, MOST_REMEMBERED) });
  const recomputed = reading.now ? await recompute(tx, map, { limitMs, at: facts.at }) : null;
  const marked = reading.now ? 0 : await markAllGroups(tx);
  const state = stateFrom(facts, { maxId, classMap: map.digest, members, ranges });
  await restart(tx, lease, state, {
    reason: `rebase: ${reason}`,
    summary: { rebased: reason, horizon: facts.horizon, max_id: String(maxId) },
    seen: 1,
  });
  await noteReview(tx, lease, 'due');
  const keyless = await countKeyless(tx, facts, { limitMs, parts: ranges });
  return { state, recomputed, marked, keyless };
}
