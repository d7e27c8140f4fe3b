// Owns the stored state of a backfill: its phase and the data the sweep needs to resume after any
// interruption. The state is stored with the sweep's cursors, one per part of the id range; the transactions
// that do the work move them.
import { z } from 'zod';
import type { Transaction } from '../../db/index.js';
import { advance, type Cursor, type Lease, readCursors } from '../../record/cursor/index.js';
import { MAIN_ROUND, WALK_ROUND } from '../closing/index.js';
import { CLOSING_RUN } from '../follow/index.js';
import type { BackfillPhase } from './report.js';

export const BACKFILL = CLOSING_RUN;
/** More parts only wait for each other. */
export const MOST_PARTS = 16;
/** From this many ids on, two lanes by default: one core reads while the other writes. */
export const WORTH_TWO_LANES = 200_000n;
/** Parts per lane: a lane that finishes a small part takes the next. */
export const PARTS_PER_LANE = 3;

export const roundOf = (part: number): string => (part === 0 ? MAIN_ROUND : `${MAIN_ROUND}_${part + 1}`);
export const roundsFor = (parts: number) =>
  [...Array.from({ length: parts }, (_, part) => roundOf(part)), WALK_ROUND].map((round) => ({
    round,
    idType: 'integer' as const,
  }));

const whole = z.string().regex(/^-?\d+$/);
const stateSchema = z.strictObject({
  snapshot_id: whole,
  births: whole,
  horizon: whole,
  parts: z.array(z.strictObject({ after: whole.nullable(), up_to: whole.nullable() })).min(1),
});
type StoredState = z.infer<typeof stateSchema>;

export interface PartRange {
  /** Ids greater than `after`, up to and including `upTo`; null: no limit. */
  readonly after: bigint | null;
  readonly upTo: bigint | null;
}

export interface BackfillState {
  readonly phase: BackfillPhase;
  /** The snapshot that verdicts are evaluated under: the first one, later that of the last closing run. */
  readonly snapshotId: bigint;
  /** How many births existed at the start. */
  readonly births: bigint;
  readonly horizon: string;
  readonly parts: readonly PartRange[];
  /** The last id that each part has swept; null: not started. */
  readonly swept: readonly (bigint | null)[];
  readonly scanned: bigint;
}

const big = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Reads the state; undefined before the first backfill. */
export async function readBackfillState(tx: Transaction): Promise<BackfillState | undefined> {
  const cursors = new Map((await readCursors(tx, BACKFILL)).map((cursor: Cursor) => [cursor.round, cursor]));
  const main = cursors.get(roundOf(0));
  const parsed = stateSchema.safeParse(main?.metadata);
  if (main?.phase === null || main?.phase === undefined || !parsed.success) return undefined;
  const parts = parsed.data.parts.map(({ after, up_to: upTo }) => ({ after: big(after), upTo: big(upTo) }));
  return {
    phase: main.phase as BackfillPhase,
    snapshotId: BigInt(parsed.data.snapshot_id),
    births: BigInt(parsed.data.births),
    horizon: parsed.data.horizon,
    parts,
    swept: parts.map((_, part) => big(cursors.get(roundOf(part))?.watermark ?? null)),
    scanned: parts.reduce((sum, _, part) => sum + (cursors.get(roundOf(part))?.eventsSeen ?? 0n), 0n),
  };
}

export type NewState = Omit<BackfillState, 'phase' | 'swept' | 'scanned'>;

/** Stores the state under the fence of `lease`. */
export async function keepState(
  tx: Transaction,
  lease: Lease,
  phase: BackfillPhase,
  state: NewState,
  summary: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const metadata: StoredState = {
    snapshot_id: String(state.snapshotId),
    births: String(state.births),
    horizon: state.horizon,
    parts: state.parts.map(({ after, upTo }) => ({
      after: after === null ? null : String(after),
      up_to: upTo === null ? null : String(upTo),
    })),
  };
  await advance(tx, lease, roundOf(0), { phase, metadata, summary });
}

/** Splits the id range into `count` parts of about equal width. */
export function splitIds(first: bigint | null, last: bigint | null, count: number): readonly PartRange[] {
  if (first === null || last === null || count < 2 || last - first < BigInt(count))
    return [{ after: null, upTo: last }];
  const width = (last - first + 1n) / BigInt(count);
  return Array.from({ length: count }, (_, part) => ({
    after: part === 0 ? null : first - 1n + width * BigInt(part),
    upTo: part === count - 1 ? last : first - 1n + width * BigInt(part + 1),
  }));
}
