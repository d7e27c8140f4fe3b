// Owns the tail's memory of recent rows: the row versions it has counted, so that none is counted twice, and
// the gaps below the highest id, so that a row that fills a gap is known to be new.
import type { Transaction } from '../../db/index.js';
import { type Facts, walkPages } from './horizon.js';
import { INTAKE } from './limits.js';
import {
  capGapRows,
  deleteGapRows,
  insertGapRows,
  insertSeenRows,
  insertSeenSince,
  insertSeenSinceIn,
  pruneSeenRows,
  readSizeRow,
} from './memory.sql.js';

const { source } = INTAKE;
export interface SeenRow {
  readonly id: bigint;
  readonly xid: bigint;
  /** The gap that contains it; null when there is none. */
  readonly gapFirst: bigint | null;
  readonly gapLast: bigint | null;
}

/** Rows with consecutive ids from `first` to `last`, all in one gap or in none. */
export interface SeenRun extends Pick<SeenRow, 'gapFirst' | 'gapLast'> {
  readonly first: bigint;
  readonly last: bigint;
}

interface Gap {
  readonly first: bigint;
  readonly last: bigint;
}

export interface MemorySize {
  readonly seenSize: bigint;
  readonly gaps: bigint;
}

/** The ids from `first` to `last` without `runs`, which are in ascending order. */
function without(first: bigint, last: bigint, runs: readonly Gap[]): Gap[] {
  const gaps: Gap[] = [];
  let next = first;
  for (const run of runs) {
    if (run.first > next) gaps.push({ first: next, last: run.first - 1n });
    next = run.last + 1n;
  }
  if (next <= last) gaps.push({ first: next, last });
  return gaps;
}

/** Whether a row is certainly new: above the highest id seen, or in a gap. */
export function isAppend(row: SeenRow, maxId: bigint | null): boolean {
  return row.gapFirst !== null || maxId === null || row.id > maxId;
}

/** The gaps after `runs`, in ascending order of ids, have been seen. */
function gapsAfter(
  runs: readonly SeenRun[],
  maxId: bigint | null,
): { readonly filled: readonly bigint[]; readonly left: readonly Gap[]; readonly maxId: bigint | null } {
  const inside = new Map<bigint, { last: bigint; runs: Gap[] }>();
  const above: Gap[] = [];
  for (const { first, last, gapFirst, gapLast } of runs) {
    if (gapFirst !== null && gapLast !== null) {
      const gap = inside.get(gapFirst) ?? { last: gapLast, runs: [] };
      inside.set(gapFirst, gap);
      gap.runs.push({ first, last });
    } else if (maxId === null || first > maxId) above.push({ first, last });
  }
  const highest = above.at(-1)?.last ?? null;
  const start = maxId === null ? above[0]?.first : maxId + 1n;
  return {
    filled: [...inside.keys()],
    left: [
      ...[...inside].flatMap(([first, gap]) => without(first, gap.last, gap.runs)),
      ...(highest === null || start === undefined ? [] : without(start, highest, above)),
    ],
    maxId: highest ?? maxId,
  };
}

export interface Remembering {
  readonly maxId: bigint | null;
  readonly facts: Facts;
  readonly keepGaps: number;
}

/** The gaps to store: all others would be dropped at once. */
function worthKeeping(gaps: readonly Gap[], keep: number): readonly Gap[] {
  if (gaps.length <= keep) return gaps;
  const width = ({ first, last }: Gap) => last - first;
  return [...gaps]
    .sort((left, right) => {
      const by = width(right) - width(left) || right.first - left.first;
      return by < 0n ? -1 : 1;
    })
    .slice(0, keep);
}

/** Updates the gaps with `runs`, in ascending order of ids; returns the new highest id. */
export async function noteGaps(
  tx: Transaction,
  runs: readonly SeenRun[],
  state: Remembering,
): Promise<bigint | null> {
  if (runs.length === 0) return state.maxId;
  const { filled, left, maxId } = gapsAfter(runs, state.maxId);
  if (filled.length > 0) await tx.run(deleteGapRows, { source, first: filled });
  if (left.length > 0) {
    const noted = BigInt(state.facts.upper);
    const kept = worthKeeping(left, state.keepGaps);
    const [first, last] = [kept.map((gap) => gap.first), kept.map((gap) => gap.last)];
    await tx.run(insertGapRows, { source, first, last, noted });
    await tx.run(capGapRows, { source, keep: BigInt(state.keepGaps) });
  }
  return maxId;
}

/** Stores `rows`, in ascending order of ids; returns the new highest id. */
export async function remember(
  tx: Transaction,
  rows: readonly SeenRow[],
  state: Remembering,
): Promise<bigint | null> {
  if (rows.length === 0) return state.maxId;
  await tx.run(insertSeenRows, {
    source,
    ids: rows.map((row) => row.id),
    xids: rows.map((row) => row.xid),
  });
  return noteGaps(
    tx,
    rows.map(({ id, gapFirst, gapLast }) => ({ first: id, last: id, gapFirst, gapLast })),
    state,
  );
}

/** Stores all visible rows at or above the horizon of `facts`, up to `limit` rows. */
export async function rememberSince(
  tx: Transaction,
  facts: Facts,
  options: { readonly limitMs: number; readonly limit: number },
): Promise<void> {
  const { horizon, upper, nextXid } = facts;
  const params = { source, horizon, upper, nextXid, limit: BigInt(options.limit) };
  await walkPages(tx, facts, { limitMs: options.limitMs, parts: 1 }, async (range) => {
    if (range === undefined) await tx.run(insertSeenSince, params);
    else await tx.run(insertSeenSinceIn, { ...params, ...range });
    return () => undefined;
  });
}

/** Deletes the row versions before `horizon`. */
export async function forgetBefore(tx: Transaction, horizon: string): Promise<void> {
  await tx.run(pruneSeenRows, { source, horizon: BigInt(horizon) });
}

export async function forgetAll(tx: Transaction): Promise<void> {
  await tx.run(pruneSeenRows, { source, horizon: null });
  await tx.run(deleteGapRows, { source, first: null });
}

export async function readMemorySize(tx: Transaction): Promise<MemorySize> {
  const { seen, gaps } = await tx.one(readSizeRow, { source });
  return { seenSize: seen, gaps };
}
