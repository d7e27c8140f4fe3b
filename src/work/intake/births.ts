// Owns the consequences of a tail round in the intake: new groups and objects get rows, removed ones leave a
// tombstone, and each touched group becomes a change. GCOS does not react to its own writes: births of its
// findings are only counted.
import type { Transaction } from '../../db/index.js';
import { markAllGroups, type Review, type TailRound, type TailRow } from '../../inventory/tail/index.js';
import {
  evaluateGroups,
  materializeObjects,
  materializeUnborn,
  type Rules,
  reconcileObjectRows,
  type VerdictStamp,
} from '../../verdict/candidate/index.js';
import { areSourcesOther, findSuspects, type ObjectKey } from '../../verdict/input/index.js';
import {
  BIRTHS,
  type Failed,
  type RetryTarget,
  reviewObjects,
  reviseSeen,
  setAside,
  tryAll,
} from '../follow/index.js';
import { findBadInput, readTouched } from './births.sql.js';
import { type Change, NAMED } from './change.js';
import { reconcileSourcesOfRound, trustChange } from './inputs.js';
import { readIntakeRules } from './rules.js';

export interface FollowedBirths {
  readonly changes: readonly Change[];
  /** Births that GCOS caused. */
  readonly own: number;
  readonly setAside: number;
  readonly tombstones: number;
  /** What is left of the review. */
  readonly review: Review;
}

/** The birth of a GCOS finding, on hosts that register issues as births. */
const isOwn = ({ collection, code }: TailRow): boolean =>
  collection === 'system_issues' && code.startsWith('GCOS-');

/** A bulk load of malformed births is processed in parts of this size. */
const AT_ONCE = 10_000;

const union = (...lists: readonly (readonly string[])[]): readonly string[] => [...new Set(lists.flat())];

const keyText = (collection: string, code: string): string => JSON.stringify([collection, code]);

async function badInputs(tx: Transaction, rows: readonly TailRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const found = await tx.run(findBadInput, {
    collections: rows.map((row) => row.collection),
    codes: rows.map((row) => row.code),
  });
  return new Set(found.map((row) => keyText(row.collection_name, row.entity_code)));
}

const recountedWhole = (inventoryKey: string): Change => ({
  source: BIRTHS,
  action: 'recounted',
  table: BIRTHS,
  ref: inventoryKey,
  facts: [{ inventoryKey }],
});
/** Another count that concerns no object beside those of the round. */
const recountedAlone = (inventoryKey: string): Change => ({ ...recountedWhole(inventoryKey), only: [] });

/** One change per group and action, regardless of the number of births. */
function changesOf(
  rows: readonly TailRow[],
  round: TailRound,
  options: {
    readonly terminal: ReadonlySet<string>;
    readonly bad: ReadonlySet<string>;
    /**
     * Whether the object counts by itself: its links may depend on its fields, which no group hash covers
     * completely.
     */
    readonly isSingle: (row: TailRow) => boolean;
  },
): Change[] {
  type Counted = Change & { count: number; readonly objects: ObjectKey[]; readonly only: ObjectKey[] };
  const seen = new Map<string, Counted>();
  const add = (action: string, inventoryKey: string, births = 1, object?: ObjectKey, mayHaveRow = false) => {
    const key = keyText(action, inventoryKey);
    const about = { source: BIRTHS, action, table: BIRTHS, ref: inventoryKey, facts: [{ inventoryKey }] };
    const change: Counted = seen.get(key) ?? { ...about, count: 0, objects: [], only: [] };
    seen.set(key, change);
    change.count += births;
    if (object === undefined) return;
    if (change.objects.length < NAMED) change.objects.push(object);
    // A new member of a container has no row, unless its input is wrong: then the round has just written it.
    if (mayHaveRow) change.only.push(object);
  };
  for (const row of rows) {
    const ended = row.status !== null && options.terminal.has(row.status);
    const corrected = options.bad.has(keyText(row.collection, row.code));
    const isSingle = options.isSingle(row);
    const change = row.change === 'updated' && isSingle ? 'rewritten' : row.change;
    const { collection, code } = row;
    const action = ended ? 'retired' : corrected ? 'corrected' : change;
    add(action, row.inventoryKey, 1, { collection, code }, isSingle || row.change === 'updated');
  }
  const foreign = round.addedUp.filter((each) => each.births > each.own);
  for (const { status, inventoryKey, births, own } of foreign)
    add(
      status !== null && options.terminal.has(status) ? 'retired' : 'added',
      inventoryKey,
      Number(births - own),
    );
  const named = new Set([...rows, ...foreign].map((each) => each.inventoryKey));
  const ownOnly = new Set(
    // Without updates in place, a group that received only births of GCOS has changed by them alone.
    round.updated > 0
      ? []
      : [...round.rows.filter(isOwn), ...round.addedUp.filter((each) => each.own > 0n)].map(
          (each) => each.inventoryKey,
        ),
  );
  const shrunk = round.shrunk.map((each) => each.inventoryKey);
  // A new birth affects no other object of its group. An update may have had another key before, and so have
  // ended a duplicate of any object; a deletion likewise; and another way to place births moves any of them.
  const suspicious = new Set(round.unexplained || round.updated > 0 ? [...round.changed, ...shrunk] : shrunk);
  const recounted = union(round.changed, round.newGroups, shrunk).filter((key) => !ownOnly.has(key));
  const whole = ({ only: _, ...change }: Counted): Change => change;
  return [
    ...[...seen.values()].map((each) => (suspicious.has(each.ref) ? whole(each) : each)),
    ...recounted
      .filter((key) => !named.has(key))
      .map((key) => (suspicious.has(key) ? recountedWhole(key) : recountedAlone(key))),
  ];
}

/**
 * Births of inheriting classes get a row only if they are malformed: looked up by id, through the primary
 * key.
 */
async function materializeSeen(
  tx: Transaction,
  retryTarget: RetryTarget,
  ids: readonly bigint[],
  options: VerdictStamp & { readonly rules: Rules },
): Promise<number> {
  const failed: Failed<bigint>[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE)
    failed.push(
      ...(await tryAll(tx, ids.slice(from, from + AT_ONCE), (part) =>
        materializeObjects(tx, { ...options, cause: 'intake', of: { ids: part } }),
      )),
    );
  const aside = await setAside(tx, retryTarget, failed);
  if (aside.length > 0) await markAllGroups(tx);
  return aside.length;
}

/** Which births changed is unknown, so the change concerns every group. */
const EVERYTHING: Change = {
  source: BIRTHS,
  action: 'rebased',
  table: BIRTHS,
  ref: 'all',
  facts: [{ everything: true }],
};

type Settled = Pick<FollowedBirths, 'changes' | 'setAside' | 'tombstones' | 'review'>;

/** A round that took changes in while nothing could be decided: a later one reviews the objects. */
const DEFERRED: Settled = { changes: [], setAside: 0, tombstones: 0, review: 'deferred' };

/**
 * The requested review. Marks every group, or, if they were marked before, those whose objects it wrote. In a
 * storm a deferred review waits; one after a rebase does not, because marks say nothing about objects without
 * a row.
 */
async function settleReview(
  tx: Transaction,
  retryTarget: RetryTarget,
  review: Review,
  options: VerdictStamp & { readonly rules: Rules; readonly cause: string },
): Promise<Settled> {
  if (review === 'none') return { changes: [], setAside: 0, tombstones: 0, review };
  const { withheld, ...rules } = options.rules;
  if (withheld !== undefined && review === 'deferred') return DEFERRED;
  const reviewed = await reviewObjects(tx, retryTarget, { ...options, rules });
  const { sources, tombstones, setAside: aside } = reviewed;
  const marks =
    review === 'due'
      ? [EVERYTHING]
      : (await tx.run(readTouched, { at: options.at })).map((row) => recountedWhole(row.inventory_key));
  return { changes: [...marks, ...sources.map(trustChange)], setAside: aside, tombstones, review: 'none' };
}

/**
 * Follows a round in its own transaction, and does the review that is due; pass `none` if the round may not
 * do it. A round without changes writes nothing.
 */
export async function followBirths(
  tx: Transaction,
  retryTarget: RetryTarget,
  round: TailRound,
  stamp: VerdictStamp,
  review: Review,
): Promise<FollowedBirths> {
  const rows = round.rows.filter((row) => !isOwn(row));
  const own =
    round.rows.length - rows.length + Number(round.addedUp.reduce((total, each) => total + each.own, 0n));
  const moved = round.changed.length > 0 || round.newGroups.length > 0 || round.rebased !== null;
  if (rows.length === 0 && !moved && review === 'none')
    return { changes: [], own, setAside: 0, tombstones: 0, review };
  const rules = await readIntakeRules(tx, round.at, round.map);
  const options = { ...stamp, rules, cause: 'intake' };
  const bad = await badInputs(
    tx,
    rows.filter((row) => row.change === 'updated'),
  );
  if (round.newGroups.length > 0) await evaluateGroups(tx, { ...options, inventoryKeys: round.newGroups });
  const isSingle = (row: TailRow) => !rules.map.classOf(row.collection, row.species).inherits;
  const isRevised = (row: TailRow) => row.change === 'updated' || isSingle(row);
  const revised = await reviseSeen(tx, retryTarget, rows.filter(isRevised), options, () => undefined);
  const suspects = await findSuspects(tx, round.appended, { ...rules, at: stamp.at });
  const others = rows.filter((row) => !isRevised(row)).map((row) => row.id);
  const ids = [...others, ...suspects];
  // The trust in whole collections may change, and rows of objects may have to end. A review does both.
  const unsettled =
    review === 'none' &&
    (ids.length > rules.input.mostObjects ||
      round.recomputed ||
      (await areSourcesOther(tx, union(round.changed, round.newGroups), rules)));
  const decides = rules.withheld === undefined;
  const sources = unsettled && decides ? await reconcileSourcesOfRound(tx, options) : { rules, changes: [] };
  const all = { ...options, rules: sources.rules };
  const aside = await materializeSeen(tx, retryTarget, ids, all);
  let tombstones = 0;
  if (decides && unsettled && round.recomputed) {
    await materializeUnborn(tx, all);
    tombstones = (await reconcileObjectRows(tx, all)).tombstones;
  }
  // While decisions are withheld, only the marks remain, and a later round reviews the objects.
  const settled = unsettled && !decides ? DEFERRED : await settleReview(tx, retryTarget, review, all);
  const changes = [
    ...changesOf(rows, round, { terminal: rules.terminal, bad, isSingle }),
    ...sources.changes,
    ...settled.changes,
  ];
  return {
    changes,
    own,
    setAside: revised.length + aside + settled.setAside,
    tombstones: tombstones + settled.tombstones,
    review: settled.review,
  };
}
