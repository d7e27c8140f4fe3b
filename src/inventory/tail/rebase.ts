// Owns beginning: the start of the tail beside a sweep, and beginning again where its horizon cannot be
// believed any more or more has changed than is worth going through. Everything is reset in one transaction:
// horizon, memory, highest id.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import type { Lease } from '../../record/cursor/index.js';
import { type ClassMap, readClassMap } from '../group/index.js';
import { boundsOf } from '../snapshot/index.js';
import { type Facts, type RebaseReason, readFacts } from './horizon.js';
import type { TailLimits } from './limits.js';
import { forgetAll, rememberSince } from './memory.js';
import { markAllGroups, type Recomputed, recompute } from './running.js';
import { readMemberDigest } from './source.js';
import { restart, stateFrom, type TailState } from './state.js';

export interface StartedTail {
  /** What the sweep is to be older than. */
  readonly horizon: string;
  /** Nothing at or below it is a certain append; null where nothing was born yet. */
  readonly maxId: bigint | null;
  readonly at: string;
}

/**
 * Starts the tail, in the caller's repeatable-read transaction under the lease: the horizon of its snapshot
 * and the highest id in it. Running fingerprints stay as they are: a sweep builds them from what is older
 * than the horizon, the rounds add the rest.
 */
export async function startTail(
  tx: Transaction,
  lease: Lease,
  options: { readonly schema: string; readonly mapping: HostMapping; readonly reason?: string },
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
  await restart(tx, lease, options.mapping, state, {
    reason: options.reason ?? 'the tail starts',
    summary: { started: true, horizon: facts.horizon, max_id: String(maxId) },
  });
  return { horizon: facts.horizon, maxId, at: facts.at };
}

export interface Rebased {
  readonly state: TailState;
  /** Null while recomputation waits. */
  readonly recomputed: Recomputed | null;
  readonly marked: number;
}

/**
 * Reads the whole table anew and begins again from this snapshot; while recomputation waits, marks instead of
 * reading.
 */
export async function rebase(
  tx: Transaction,
  lease: Lease,
  reading: {
    readonly facts: Facts;
    readonly map: ClassMap;
    readonly members: string;
    readonly mapping: HostMapping;
    readonly limits: TailLimits;
    readonly limitMs: number;
    readonly now: boolean;
    readonly ranges: number;
  },
  reason: RebaseReason,
): Promise<Rebased> {
  const { facts, map, members, mapping, limits, limitMs, ranges } = reading;
  const maxId = (await boundsOf(tx))?.last ?? null;
  await forgetAll(tx);
  await rememberSince(tx, facts, { limitMs, limit: limits.rebaseRows });
  const recomputed = reading.now ? await recompute(tx, map, { limitMs, at: facts.at }) : null;
  const marked = reading.now ? 0 : await markAllGroups(tx);
  const state = stateFrom(facts, { maxId, classMap: map.digest, members, ranges });
  await restart(tx, lease, mapping, state, {
    reason: `rebase: ${reason}`,
    summary: { rebased: reason, horizon: facts.horizon, max_id: String(maxId) },
  });
  return { state, recomputed, marked };
}
