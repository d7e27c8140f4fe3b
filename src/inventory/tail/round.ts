// Owns the rounds of the tail: near (certainly new rows, through the primary key) and wide (all rows written
// since the horizon, one scan). A round is one repeatable-read transaction under the lease, so that horizon,
// rows, memory and effects share one snapshot. INVARIANT: nothing else in that transaction writes births. A
// round returns each new row exactly once.
import type { Transaction } from '../../db/index.js';
import { defineStage, type StageContract } from '../../kernel/index.js';
import type { Lease } from '../../record/cursor/index.js';
import { type ClassMap, readClassMap } from '../group/index.js';
import { STATEMENT_LIMIT_MS } from '../snapshot/index.js';
import { tailErrors } from './errors.js';
import { type RebaseReason, readFacts, rebaseReason } from './horizon.js';
import { type RoundOptions, readLimits } from './limits.js';
import { forgetBefore, isAppend, noteGaps, readMemorySize, remember, type SeenRun } from './memory.js';
import {
  type AddedUp,
  type Appended,
  findAppended,
  NOTHING_APPENDED,
  NOTHING_NEAR,
  readAppended,
  rememberAppended,
} from './near.js';
import { addRanges, forgetRangesFrom, recountRanges } from './ranges.js';
import { rebase } from './rebase.js';
import { applySums, areAllCounted, type CountChange, isMarked, markAllGroups, recompute } from './running.js';
import {
  type BirthRow,
  countBirths,
  countKeyless,
  isIndividual,
  placeRows,
  readMemberDigest,
  readWide,
  sumRows,
} from './source.js';
import { moveNear, moveWide, readState, type TailState } from './state.js';

export interface TailRow {
  readonly id: bigint;
  readonly collection: string;
  readonly code: string;
  readonly species: string | null;
  readonly status: string | null;
  readonly inventoryKey: string;
  /**
   * Added: certainly new. Updated: anything else, including an id assigned below the highest one, or assigned
   * again.
   */
  readonly change: 'added' | 'updated';
}

export interface TailRound {
  /**
   * The class map of the round, for the caller in the same transaction; undefined when the round needed none.
   */
  readonly map: ClassMap | undefined;
  /**
   * Rows that count one by one, in ascending order of ids: for a wide round all rows; for a near round the
   * births of collections with such members. Empty for a rebase, which processes no rows.
   */
  readonly rows: readonly TailRow[];
  /** All other births that a near round read: new, and represented by their groups. */
  readonly addedUp: readonly AddedUp[];
  /** Ranges in which this round read every birth of its snapshot; `runs` contains the exact ids. */
  readonly appended: Appended;
  readonly runs: readonly SeenRun[];
  readonly added: number;
  readonly updated: number;
  readonly newGroups: readonly string[];
  /** Groups whose running fingerprint changed. */
  readonly changed: readonly string[];
  /** Whether this round recounted births: all, or some ranges. */
  readonly recomputed: boolean;
  /**
   * Whether the recomputation may have counted changes that no row of this round shows: deletions, rows that
   * belong to other groups than before, or what an earlier round left to be counted.
   */
  readonly unexplained: boolean;
  /** Groups that lost members according to a recomputation: some of their objects may be deleted. */
  readonly shrunk: readonly CountChange[];
  /** Groups that this round marked and that still need recomputation. */
  readonly marked: number;
  /**
   * Whether unchanged rows may belong to other groups than before, because the catalogue, a profile or a
   * member status changed.
   */
  readonly remapped: boolean;
  /** More rows are waiting for the next round. */
  readonly more: boolean;
  readonly rebased: RebaseReason | null;
  /** Births without a key, which are in no group; omitted for a round that does not count them. */
  readonly keyless?: bigint;
  readonly horizon: string;
  readonly maxId: bigint | null;
  readonly at: string;
  /** The size of the memory; omitted for a near round, because counting takes time. */
  readonly seenSize?: bigint;
  readonly gaps?: bigint;
}

function tailRow(row: BirthRow, inventoryKey: string | undefined, change: TailRow['change']): TailRow {
  const { id, collection, code, species, status } = row;
  return { id, collection, code, species, status, inventoryKey: inventoryKey ?? '', change };
}

const union = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

const NONE_APPENDED = { addedUp: [], appended: NOTHING_APPENDED, runs: [] } as const;

const summaryOf = (
  round: Pick<TailRound, 'added' | 'updated' | 'newGroups' | 'recomputed' | 'marked' | 'more'>,
) => ({
  added: round.added,
  updated: round.updated,
  new_groups: round.newGroups.length,
  recomputed: round.recomputed,
  marked: round.marked,
  more: round.more,
});

const TAIL: StageContract = {
  name: 'tail',
  takes: 'the lease of the intake, in a repeatable-read transaction',
  returns: 'the births that are new or changed, and the groups whose fingerprint changed',
  writes: 'governance_inventory, gov_intake_seen, gov_intake_gap, gov_intake_range, the cursors of the tail',
  promises:
    'every committed version of a birth is returned by exactly one round, or a review of everything is requested; deletions are noticed',
};
const countsOf = ({ added, updated, changed }: TailRound) => ({ added, updated, groups: changed.length });

/** Processes rows above the highest id seen and rows in gaps. */
export const nearRound = defineStage(
  TAIL,
  async (tx: Transaction, lease: Lease, options: RoundOptions): Promise<TailRound> => {
    const facts = await readFacts(tx);
    const state = await readState(tx, lease);
    if (state === undefined)
      throw tailErrors.tail_not_started(`the tail of \`${lease.source}\` has not been started`);
    const limits = await readLimits(tx, options.limits);
    const found = await findAppended(tx, state.maxId, limits);
    const map = found.runs.length === 0 ? undefined : await readClassMap(tx, options.schema);
    const near = map === undefined ? NOTHING_NEAR : await readAppended(tx, map, found, { facts, limits });
    const applied = await applySums(tx, near.sums, facts.at);
    // If the class map differs from that of the last wide round, new sums may go to other groups than earlier
    // ones.
    const remapped =
      map !== undefined &&
      (map.digest !== state.classMap ||
        (near.rows.some((row) => isIndividual(map, row)) &&
          (await readMemberDigest(tx, map)) !== state.members));
    const marked = applied.marked + (remapped ? await markAllGroups(tx) : 0);
    if (near.count > 0) await rememberAppended(tx, near.appended, { facts, limits });
    const [first] = near.runs;
    if (first !== undefined) await forgetRangesFrom(tx, first.first);
    const maxId = await noteGaps(tx, near.runs, { maxId: state.maxId, facts, keepGaps: limits.gaps });
    const round = {
      map,
      rows: near.rows.map((row, index) => tailRow(row, near.inventoryKeys[index], 'added')),
      addedUp: near.addedUp,
      appended: near.appended,
      runs: near.runs,
      added: near.count,
      updated: 0,
      newGroups: applied.newGroups,
      changed: applied.changed,
      recomputed: false,
      unexplained: remapped,
      shrunk: [],
      marked,
      remapped,
      more: near.more,
      rebased: null,
      horizon: state.horizon,
      maxId,
      at: facts.at,
    };
    await moveNear(tx, lease, maxId, summaryOf(round), near.count);
    return round;
  },
  countsOf,
);

/** Processes all unseen rows written since the horizon, recomputes if needed, and moves the horizon. */
export const wideRound = defineStage(
  TAIL,
  async (tx: Transaction, lease: Lease, options: RoundOptions): Promise<TailRound> => {
    const { recompute: when = 'now', limitMs = STATEMENT_LIMIT_MS, noticeDeletions = true } = options;
    const now = when === 'now';
    await tx.script(`set local statement_timeout = ${Math.ceil(limitMs)}`);
    const facts = await readFacts(tx);
    const state = await readState(tx, lease);
    const limits = await readLimits(tx, options.limits);
    const map = await readClassMap(tx, options.schema);
    const members = await readMemberDigest(tx, map);
    const again = async (reason: RebaseReason, ranges: number): Promise<TailRound> => {
      const reading = { facts, map, members, limits, limitMs, now, ranges };
      const done = await rebase(tx, lease, reading, reason);
      return {
        map,
        rows: [],
        ...NONE_APPENDED,
        added: 0,
        updated: 0,
        newGroups: done.recomputed?.newGroups ?? [],
        changed: done.recomputed?.changed ?? [],
        recomputed: done.recomputed !== null,
        unexplained: true,
        shrunk: done.recomputed?.shrunk ?? [],
        marked: done.marked,
        remapped: state !== undefined && (map.digest !== state.classMap || members !== state.members),
        more: false,
        rebased: reason,
        keyless: done.keyless,
        horizon: done.state.horizon,
        maxId: done.state.maxId,
        at: facts.at,
        ...(await readMemorySize(tx)),
      };
    };
    const reason = state === undefined ? 'not_started' : rebaseReason(state, facts);
    if (state === undefined || reason !== undefined)
      return again(reason ?? 'not_started', state?.ranges ?? 1);

    const read = await readWide(tx, facts, state.horizon, {
      ...{ limits, limitMs, parts: state.ranges },
      // Rows that a round remembers were written since the horizon.
      expectsRows: !(noticeDeletions && now) || (await readMemorySize(tx)).seenSize > 0n,
    });
    if (read.tooMany) return again('too_many_rows', read.ranges);
    const groups = await placeRows(tx, map, read.rows);
    const isNew = read.rows.map((row) => isAppend(row, state.maxId));
    const sums = await sumRows(
      tx,
      map,
      read.rows.filter((_, index) => isNew[index]),
      groups.filter((_, index) => isNew[index]),
    );
    const added = sums.parts.length;
    const updated = read.rows.length - added;
    const remapped = map.digest !== state.classMap || members !== state.members;
    const mustMark = updated > 0 || remapped;
    // INVARIANT: rows are remembered before a recomputation counts them, and it runs only after all rows were
    // processed.
    const maxId = await remember(tx, read.rows, { maxId: state.maxId, facts, keepGaps: limits.gaps });
    const ends = now && !read.more;
    const isPending = ends && (await isMarked(tx));
    const replace = ends && (mustMark || sums.uncertain || isPending);
    const counts = noticeDeletions && ends;
    const isSingle = (collection: string) => map.individual.includes(collection);
    const singles = sums.uncertain || read.rows.some((row, at) => !isNew[at] && isSingle(row.collection));
    // INVARIANT: only where the number of births is compared, because a birth may have left another range.
    const recounted =
      replace && counts && !remapped && !isPending
        ? await recountRanges(tx, map, {
            ...{ maxId, members: singles, limitMs, at: facts.at, rangeRows: limits.rangeRows },
            ids: read.rows.map((row) => row.id),
          })
        : undefined;
    const all = replace && recounted === undefined;
    const [first] = read.rows.filter((_, index) => isNew[index]);
    if (!replace && first !== undefined) await forgetRangesFrom(tx, first.id);
    // A recount of ranges contains the births that groups represent.
    const ofSingles = { ...sums, parts: sums.parts.filter(({ group }) => isSingle(group.sourceRegistry)) };
    const adds = replace ? (all || singles ? undefined : ofSingles) : sums;
    const applied = adds && (await applySums(tx, adds, facts.at));
    const marked = (applied?.marked ?? 0) + (mustMark && !replace ? await markAllGroups(tx) : 0);
    // A deletion leaves no row version, but the numbers differ.
    const counting = { limitMs, parts: read.ranges };
    const keyless = counts ? await countKeyless(tx, facts, counting) : undefined;
    const lost =
      keyless !== undefined &&
      !all &&
      !(await areAllCounted(tx, (read.births ?? (await countBirths(tx, facts, counting))) - keyless));
    const whole = all || lost ? await recompute(tx, map, { limitMs, at: facts.at }) : undefined;
    if (counts && whole === undefined) await addRanges(tx, map, { limitMs, rangeRows: limits.rangeRows });
    const horizon = read.more ? state.horizon : facts.horizon;
    const next: TailState = {
      ...state,
      maxId,
      horizon,
      classMap: map.digest,
      members,
      ranges: read.ranges,
      horizonSince: horizon === state.horizon ? state.horizonSince : facts.at,
    };
    const round = {
      rows: read.rows.map((row, index) =>
        tailRow(row, groups[index]?.key, isNew[index] ? 'added' : 'updated'),
      ),
      ...NONE_APPENDED,
      added,
      updated,
      newGroups: union(applied?.newGroups, recounted?.newGroups, whole?.newGroups),
      changed: union(applied?.changed, recounted?.changed, whole?.changed),
      recomputed: whole !== undefined || recounted !== undefined,
      unexplained: remapped || isPending || sums.uncertain || lost,
      shrunk: [...(recounted?.shrunk ?? []), ...(whole?.shrunk ?? [])],
      marked,
      remapped,
      more: read.more,
      rebased: null,
      ...(keyless === undefined ? {} : { keyless }),
      horizon,
      maxId,
      at: facts.at,
    };
    if (!read.more) await forgetBefore(tx, horizon);
    await moveWide(tx, lease, next, summaryOf(round), read.rows.length + (lost ? 1 : 0));
    return { ...round, map, ...(await readMemorySize(tx)) };
  },
  countsOf,
);
