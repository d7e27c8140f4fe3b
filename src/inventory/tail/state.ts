// Owns the state of the tail: the cursor `near` holds the highest id seen, the cursor `wide` the horizon and
// the facts it depends on. Both move in the transaction of the round, under the fence of the lease.
import { z } from 'zod';
import type { Transaction } from '../../db/index.js';
import { advance, type Lease, readCursor, resetCursor } from '../../record/cursor/index.js';
import type { Believed, Facts } from './horizon.js';

const metadataSchema = z.object({
  system_identifier: z.string(),
  timeline: z.string(),
  files: z.string(),
  class_map: z.string(),
  members: z.string(),
  /** In how many ranges of pages the last wide round read the table. */
  ranges: z.int(),
  /** Since when the horizon has not moved. */
  horizon_since: z.string(),
});

export interface TailState extends Believed {
  readonly maxId: bigint | null;
  readonly classMap: string;
  readonly members: string;
  readonly ranges: number;
  readonly horizonSince: string;
}

/** The state of the tail; undefined when it was never started. */
export async function readState(tx: Transaction, lease: Lease): Promise<TailState | undefined> {
  const near = await readCursor(tx, lease, 'near');
  const wide = await readCursor(tx, lease, 'wide');
  const kept = metadataSchema.safeParse(wide.metadata);
  if (wide.horizon === null || !kept.success) return undefined;
  const { system_identifier: systemIdentifier, timeline, files, ranges, members } = kept.data;
  return {
    maxId: near.watermark === null ? null : BigInt(near.watermark),
    horizon: wide.horizon,
    systemIdentifier,
    timeline,
    files,
    classMap: kept.data.class_map,
    members,
    ranges,
    horizonSince: kept.data.horizon_since,
  };
}

/** The state of a tail that starts or restarts with the snapshot of `facts`. */
export function stateFrom(
  facts: Facts,
  rest: Pick<TailState, 'maxId' | 'classMap' | 'members' | 'ranges'>,
): TailState {
  const { horizon, systemIdentifier, timeline, files } = facts;
  return { ...rest, horizon, systemIdentifier, timeline, files, horizonSince: facts.at };
}

const metadataOf = (state: TailState) => ({
  system_identifier: state.systemIdentifier,
  timeline: state.timeline,
  files: state.files,
  class_map: state.classMap,
  members: state.members,
  ranges: state.ranges,
  horizon_since: state.horizonSince,
});

type Summary = Readonly<Record<string, unknown>>;

export async function moveNear(
  tx: Transaction,
  lease: Lease,
  maxId: bigint | null,
  summary: Summary,
  seen: number,
): Promise<void> {
  await advance(tx, lease, 'near', {
    ...(maxId === null ? {} : { watermark: String(maxId) }),
    eventsSeen: seen,
    summary,
  });
}

export async function moveWide(
  tx: Transaction,
  lease: Lease,
  state: TailState,
  summary: Summary,
  seen: number,
): Promise<void> {
  const { maxId, horizon } = state;
  if (maxId !== null) await advance(tx, lease, 'near', { watermark: String(maxId) });
  await advance(tx, lease, 'wide', { horizon, metadata: metadataOf(state), eventsSeen: seen, summary });
}

/** Moves both cursors in any direction. The database records a backward move. */
export async function restart(
  tx: Transaction,
  lease: Lease,
  state: TailState,
  options: {
    readonly reason: string;
    readonly summary: Summary;
    /** Changes that cannot be counted are one change. */
    readonly seen?: number;
  },
): Promise<void> {
  const { worker, source } = lease;
  const { reason, summary } = options;
  const near = await readCursor(tx, lease, 'near');
  const wide = await readCursor(tx, lease, 'wide');
  const before = near.watermark;
  const where = { worker, source, reason, lease };
  if (before !== null && (state.maxId === null || BigInt(before) > state.maxId))
    await resetCursor(tx, {
      ...where,
      round: 'near',
      watermark: state.maxId === null ? null : String(state.maxId),
    });
  if (wide.horizon !== null && BigInt(wide.horizon) > BigInt(state.horizon))
    await resetCursor(tx, { ...where, round: 'wide', watermark: null, horizon: state.horizon });
  await moveWide(tx, lease, state, summary, options.seen ?? 0);
}
