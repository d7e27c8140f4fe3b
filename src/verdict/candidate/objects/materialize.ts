// Owns which objects have a row of their own: those that count one by one, births with an input problem,
// listed members without a birth, and members of containers that need one. Every other object is represented
// by its group. A row whose reason has ended is retired, and a deleted object leaves a tombstone. INVARIANT:
// no row is deleted.
import type { RowOf, Transaction } from '../../../db/index.js';
import { citeGroups } from '../../../inventory/snapshot/index.js';
import {
  BIRTH_MISSING,
  findIdsIn,
  foremost,
  forgetInput,
  type JudgedBirth,
  judgeBirths,
  type ObjectKey,
  recordInput,
  type SomeBirths,
  UNTRUSTED,
} from '../../input/index.js';
import type { GroupBasis, VerdictStamp } from '../group/evaluate.js';
import { type ChangedReason, readChangedReasons, readRequested, readRequestedRows } from '../requested.js';
import type { Rules } from '../rules.js';
import { draftOf, findUnbornDrafts, isRepresentedByGroup } from './draft.js';
import {
  buryObjects,
  countDue,
  endReasons,
  findBad,
  findFormerDuplicates,
  findFormerUnborn,
  findGroups,
  findLapsedSingle,
  findLive,
  findMissing,
} from './objects.sql.js';
import { walkObjectRows } from './walk.js';
import { addUp, NOTHING_WRITTEN, REASONS, type Reason, type Written, writeDrafts } from './write.js';

export interface ObjectOptions extends VerdictStamp {
  readonly rules: Rules;
  /** The cause recorded in the history; default: `evaluation`. */
  readonly cause?: string;
  /** For new groups: whether the sweep has not reached their members yet. */
  readonly needsBackfill?: boolean;
}

export interface MaterializeOptions extends ObjectOptions {
  /** Births with ids from `first` to `last`, with these ids, or of these collections. */
  readonly of: SomeBirths;
}

const asKeys = (
  rows: readonly { readonly collection_name: string; readonly entity_code: string }[],
): ObjectKey[] => rows.map((row) => ({ collection: row.collection_name, code: row.entity_code }));

/** Stores the input states of these births, with the scopes if a state does not apply in every scope. */
async function keepInput(
  tx: Transaction,
  births: readonly JudgedBirth[],
  options: { readonly rules: Rules; readonly at: string; readonly sawAllBirths: boolean },
): Promise<void> {
  const { input } = options.rules;
  // Most births never had an input problem; they need no row.
  const notable = births.filter((birth) => birth.state !== null || birth.deniedIn.length > 0 || birth.known);
  const found = notable.map(({ collection, code, id: birthId, origin, ...birth }) => {
    const state = foremost(birth.state, birth.deniedIn.length > 0 ? UNTRUSTED : null);
    const isUntrusted = state === UNTRUSTED;
    const scopes = isUntrusted && birth.deniedIn.length < input.scopes.length ? birth.deniedIn : null;
    return {
      collection,
      code,
      birthId,
      state,
      cause: isUntrusted ? (origin ?? collection) : birth.cause,
      scopes,
    };
  });
  await recordInput(tx, found, { ...options, input });
}

/** How many births are judged and held at once, however many a caller names. */
const BIRTHS_AT_ONCE = 10_000;

/**
 * Writes the rows of the objects in a part of the inventory: those that count one by one, and births with an
 * input problem.
 */
export async function materializeObjects(tx: Transaction, options: MaterializeOptions): Promise<Written> {
  const { rules, at } = options;
  const ids = await findIdsIn(tx, options.of, { ...rules, at });
  let written = NOTHING_WRITTEN;
  for (let from = 0; from < ids.length; from += BIRTHS_AT_ONCE) {
    const some = { ids: ids.slice(from, from + BIRTHS_AT_ONCE) };
    const births = await judgeBirths(tx, some, { ...rules, at });
    await keepInput(tx, births, { rules, at, sawAllBirths: false });
    const drafts = births
      .map((birth) => draftOf(birth, rules))
      // A collection may contain inheriting and other classes.
      .filter((draft) => !isRepresentedByGroup(draft, rules));
    const part = await writeDrafts(tx, drafts, { cause: 'evaluation', ...options, sawAllBirths: false });
    written = addUp([written, part]);
  }
  return written;
}

const nameOf = ({ collection, code }: ObjectKey): string => JSON.stringify([collection, code]);

/**
 * Ends the rows of objects that have no birth any more: a member that its registry still lists is unborn;
 * every other object leaves a tombstone. While decisions are withheld, the rows wait.
 */
async function endGone(tx: Transaction, keys: readonly ObjectKey[], options: ObjectOptions): Promise<void> {
  if (keys.length === 0 || options.rules.withheld !== undefined) return;
  const live = async () =>
    asKeys(
      await tx.run(findLive, {
        collections: keys.map((key) => key.collection),
        codes: keys.map((key) => key.code),
      }),
    );
  if ((await live()).length === 0) return;
  await materializeUnborn(tx, options);
  await tombstone(tx, await live(), options);
}

/**
 * Evaluates single objects again, by their keys and with all their births. Objects without a reason for a row
 * lose it, and so do objects whose births are gone.
 */
export async function reviseObjects(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: ObjectOptions,
): Promise<Written> {
  if (keys.length === 0) return NOTHING_WRITTEN;
  const { rules } = options;
  const births = await judgeBirths(tx, { keys }, { ...rules, at: options.at });
  const born = new Set(births.map(nameOf));
  await endGone(
    tx,
    keys.filter((key) => !born.has(nameOf(key))),
    options,
  );
  await keepInput(tx, births, { rules, at: options.at, sawAllBirths: true });
  const drafts = births.map((birth) => draftOf(birth, rules));
  const representedByGroup = drafts.filter((draft) => isRepresentedByGroup(draft, rules));
  await endRows(tx, REASONS, representedByGroup, { ...options, areThere: true });
  const needed = drafts.filter((draft) => !isRepresentedByGroup(draft, rules));
  return writeDrafts(tx, needed, { cause: 'evaluation', ...options, sawAllBirths: true });
}

async function endRows(
  tx: Transaction,
  reasons: readonly Reason[],
  keys: readonly ObjectKey[],
  options: Pick<VerdictStamp, 'runId' | 'at'> & {
    /** Whether the caller has read births of all keys: then their tombstones end, too. */
    readonly areThere: boolean;
  },
): Promise<{ readonly objects: number; readonly retired: number }> {
  if (keys.length === 0) return { objects: 0, retired: 0 };
  const { objects, retired } = await tx.one(endReasons, {
    collections: keys.map((key) => key.collection),
    codes: keys.map((key) => key.code),
    reasons,
    runId: options.runId,
    at: options.at,
    areThere: options.areThere,
  });
  return { objects: Number(objects), retired: Number(retired) };
}

/**
 * Writes a row for each listed member without a birth, and ends the rows of members that have been born or
 * removed since.
 */
export async function materializeUnborn(
  tx: Transaction,
  options: ObjectOptions,
): Promise<Written & { readonly unborn: number; readonly gone: number }> {
  const { rules } = options;
  const drafts = await findUnbornDrafts(tx, rules);
  const former = await tx.run(findFormerUnborn, {
    collections: drafts.map((draft) => draft.collection),
    codes: drafts.map((draft) => draft.code),
  });
  await recordInput(
    tx,
    drafts.map(({ collection, code, birthId }) => ({
      collection,
      code,
      birthId,
      state: BIRTH_MISSING,
      cause: 'never_born',
      scopes: null,
    })),
    { input: rules.input, at: options.at, sawAllBirths: true },
  );
  const written = await writeDrafts(tx, drafts, { cause: 'evaluation', ...options, sawAllBirths: true });
  const born = asKeys(former.filter((row) => row.born));
  const revised = await reviseObjects(tx, born, options);
  const gone = await tombstone(tx, asKeys(former.filter((row) => !row.born)), options);
  return { ...addUp([written, revised]), unborn: drafts.length, gone };
}

/**
 * Writes the rows of keys with more than one birth, and evaluates again those that are no longer in `found`.
 */
export async function reconcileDuplicates(
  tx: Transaction,
  found: readonly ObjectKey[],
  options: ObjectOptions,
): Promise<Written & { readonly duplicates: number; readonly cured: number }> {
  const former = asKeys(
    await tx.run(findFormerDuplicates, {
      collections: found.map((key) => key.collection),
      codes: found.map((key) => key.code),
    }),
  );
  // The current births decide, not the earlier search.
  const written = await reviseObjects(tx, [...found, ...former], options);
  return { ...written, duplicates: found.length, cured: former.length };
}

/** Turns the rows of deleted objects into tombstones, with the reason. Returns the number of objects. */
async function tombstone(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: VerdictStamp,
): Promise<number> {
  if (keys.length === 0) return 0;
  const { rulesetVersion, runId, at } = options;
  await forgetInput(tx, keys, at);
  const of = { collections: keys.map((key) => key.collection), codes: keys.map((key) => key.code) };
  const groups = await tx.run(findGroups, of);
  await citeGroups(
    tx,
    groups.map((row) => row.inventory_key),
    { ...options, forObjects: true },
  );
  const { objects } = await tx.one(buryObjects, {
    ...of,
    rulesetVersion,
    runId,
    at,
  });
  return Number(objects);
}

/** In how many groups and scopes one statement looks for objects that are due; it reads all of them. */
const GROUPS_AT_ONCE = 2_000;

/**
 * Whether any object row is no longer valid or was derived from an outdated group basis. Then all objects
 * must be evaluated again.
 */
export async function areObjectsDue(
  tx: Transaction,
  groups: readonly GroupBasis[],
  options: Pick<VerdictStamp, 'at' | 'rulesetVersion'>,
): Promise<boolean> {
  const { at, rulesetVersion } = options;
  for (let from = 0; from < groups.length; from += GROUPS_AT_ONCE) {
    const some = groups.slice(from, from + GROUPS_AT_ONCE);
    const { groups: due } = await tx.one(countDue, {
      inventoryKeys: some.map((group) => group.inventoryKey),
      scopes: some.map((group) => group.scope),
      basisHashes: some.map((group) => group.basisHash),
      at,
      rulesetVersion,
    });
    if (due > 0n) return true;
  }
  return false;
}

export interface ReconciledRows extends Written {
  readonly tombstones: number;
}

/**
 * Writes the rows of class-0 objects that shared data refers to, and of members of containers that need one.
 * Ends the rows of objects that are now represented by their container, because shared data no longer refers
 * to them, their reason has ended, or their class inherits now. No birth event reports any of these changes.
 */
export async function reconcileIndependentRows(
  tx: Transaction,
  options: ObjectOptions,
): Promise<Written & { readonly lapsed: number }> {
  const { rules } = options;
  const { objects } = rules.shared;
  const requested = [...rules.requested.objects, ...(await readRequestedRows(tx))];
  const written = await reviseObjects(tx, [...objects, ...requested], options);
  const lapsed = await tx.run(findLapsedSingle, {
    individual: rules.map.individual,
    collections: objects.map((key) => key.collection),
    codes: objects.map((key) => key.code),
  });
  const ended = await endRows(tx, ['independent'], asKeys(lapsed), { ...options, areThere: false });
  return { ...written, lapsed: ended.objects };
}

/**
 * Writes and ends the rows of members of containers whose reasons began or ended in the caller's transaction;
 * returns the changed reasons.
 */
export async function reconcileRequestedRows(
  tx: Transaction,
  options: ObjectOptions,
): Promise<readonly ChangedReason[]> {
  const changed = await readChangedReasons(tx);
  if (changed.length === 0) return changed;
  const rules = { ...options.rules, requested: await readRequested(tx) };
  await reviseObjects(tx, changed, { ...options, rules });
  return changed;
}

/** Objects without their birth. */
async function readMissing(
  tx: Transaction,
  params: Pick<VerdictStamp, 'at' | 'rulesetVersion'> & { readonly collections: readonly string[] | null },
  parts: number | undefined,
): Promise<readonly RowOf<typeof findMissing>[]> {
  const found = new Map<string, RowOf<typeof findMissing>>();
  await walkObjectRows(tx, parts, async ({ first, last }) => {
    const rows = await tx.run(findMissing, { ...params, first, last });
    return () => {
      // The rows of an object, one per scope, may be in several ranges.
      for (const row of rows) found.set(JSON.stringify([row.collection_name, row.entity_code]), row);
    };
  });
  return [...found.values()];
}

/**
 * Compares the objects with rows with the inventory: deleted, born again, or no longer with an input problem.
 */
export async function reconcileObjectRows(
  tx: Transaction,
  options: ObjectOptions & {
    readonly collections?: readonly string[];
    /** In how many ranges the rows are read at first; default: one. */
    readonly parts?: number;
  },
): Promise<ReconciledRows> {
  const collections = options.collections ?? null;
  const { at, rulesetVersion } = options;
  const missing = await readMissing(tx, { collections, at, rulesetVersion }, options.parts);
  const bad = await tx.run(findBad, { collections });
  const tombstones = await tombstone(tx, asKeys(missing.filter((row) => !row.born)), options);
  const again = missing.filter((row) => row.born);
  const written = await reviseObjects(tx, asKeys([...again, ...bad]), options);
  return { ...written, tombstones };
}
