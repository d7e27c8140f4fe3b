// Owns the sums of births per range of ids, so that an update recounts its range and not the whole table.
// Only births that groups represent are in ranges; the newest births are in none. INVARIANT: while no group
// is marked, the running fingerprints are the sums of all ranges and of the births behind the last one. So a
// birth that is added within a range ends that range and the later ones.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../group/index.js';
import { type Fingerprint, readInventory } from '../snapshot/index.js';
import { findRange, forgetRanges, keepRange, readRanges } from './ranges.sql.js';
import { columnsOf, type Recomputed, replaceRunning, sumsOf } from './running.js';
import { countSetAside } from './set-aside.js';

/** How long one round adds ranges: the pause after a round grows with its duration. */
const ADDING_MS = 250;
const LOWEST = -(1n << 63n);

/** Forgets the ranges with ids from `first` on. */
export async function forgetRangesFrom(tx: Transaction, first: bigint): Promise<void> {
  await tx.run(forgetRanges, { first });
}

interface Counting {
  readonly limitMs: number;
  /** How many births a range has, and at least as many are in none. */
  readonly rangeRows: number;
}

/** Counts the births behind `after` up to `last`, and keeps the sums. */
async function countRange(
  tx: Transaction,
  map: ClassMap,
  range: { readonly after: bigint | undefined; readonly last: bigint },
  limitMs: number,
): Promise<readonly Fingerprint[]> {
  const { after, last } = range;
  const only = { first: after === undefined ? LOWEST : after + 1n, last };
  const { groups } = await readInventory(tx, map, { limitMs, part: 'births', only });
  const { grains: _, ...columns } = columnsOf(groups.map(sumsOf));
  await tx.run(keepRange, { lastId: last, ...columns });
  return groups;
}

/** Adds ranges, for a limited time. Only in a round in which the running fingerprints count every birth. */
export async function addRanges(
  tx: Transaction,
  map: ClassMap,
  { limitMs, rangeRows }: Counting,
): Promise<void> {
  const started = performance.now();
  if ((await countSetAside(tx)) > 0n) return;
  let after = (await tx.run(readRanges, {})).at(-1)?.last_id;
  while (performance.now() - started < ADDING_MS) {
    const [next] = await tx.run(findRange, { after: after ?? null, rows: BigInt(rangeRows) });
    if (next === undefined) return;
    await countRange(tx, map, { after, last: next.last_id }, limitMs);
    after = next.last_id;
  }
}

/**
 * Recounts the ranges that contain `ids`, and the births behind the last range; `members`: also the births of
 * collections whose members count one by one. Undefined if a recount of everything costs no more.
 */
export async function recountRanges(
  tx: Transaction,
  map: ClassMap,
  options: Counting & {
    /** In ascending order. */
    readonly ids: readonly bigint[];
    readonly maxId: bigint | null;
    readonly members: boolean;
    readonly at: string;
  },
): Promise<Recomputed | undefined> {
  const { ids, maxId, limitMs, at } = options;
  const lasts = (await tx.run(readRanges, {})).map((row) => row.last_id);
  let next = 0;
  const touched = lasts.flatMap((last, index) => {
    const from = next;
    while ((ids[next] ?? last + 1n) <= last) next += 1;
    return next > from ? [{ after: lasts[index - 1], last }] : [];
  });
  const end = lasts.at(-1);
  if (end === undefined || maxId === null || touched.length * 2 > lasts.length + 1) return undefined;
  if ((await countSetAside(tx)) > 0n) return undefined;
  const found: Fingerprint[] = [];
  for (const range of touched) found.push(...(await countRange(tx, map, range, limitMs)));
  const only = { first: end + 1n, last: maxId };
  const newest = (await readInventory(tx, map, { limitMs, part: 'births', only })).groups;
  const births = await replaceRunning(tx, map, newest.map(sumsOf), {
    ...{ part: 'births', at },
    groups: [...found, ...newest],
  });
  if (!options.members) return births;
  const single = (await readInventory(tx, map, { limitMs, part: 'members' })).groups;
  const members = await replaceRunning(tx, map, single.map(sumsOf), { part: 'members', at, groups: single });
  return {
    changed: [...births.changed, ...members.changed],
    shrunk: [...births.shrunk, ...members.shrunk],
    newGroups: [...births.newGroups, ...members.newGroups],
  };
}
