// Owns the consequences of a tail round. A closing run evaluates all groups again. Every caller writes or
// removes the rows of the objects that the round saw or may have lost. INVARIANT: all of it happens in the
// round's own transaction, so no seen change is lost.
import type { Transaction } from '../../db/index.js';
import { refreshInventory } from '../../inventory/group/index.js';
import { markAllGroups, type TailRound, type TailRow } from '../../inventory/tail/index.js';
import {
  areObjectsDue,
  evaluateGroups,
  materializeObjects,
  materializeUnborn,
  type Rules,
  readRules,
  reconcileDuplicates,
  reconcileIndependentRows,
  reconcileObjectRows,
  reviseObjects,
  type VerdictStamp,
  type Written,
} from '../../verdict/candidate/index.js';
import {
  type ObjectKey,
  readDuplicateBirths,
  readInputRules,
  readSources,
  reconcileSources,
  type SourceCount,
  takeInputChanges,
} from '../../verdict/input/index.js';
import { tryAll } from './bisect.js';
import { type RetryTarget, setAside } from './set-aside.js';

export interface Followed {
  readonly rules: Rules;
  /** Rows written for a reason other than time. */
  readonly changed: bigint;
  /**
   * The caller must walk all objects: the round did not read the rows one by one, or their groups changed.
   */
  readonly walkObjects: boolean;
  /** Some object rows are dirty, expired or stamped with other rules; they also need a walk. */
  readonly objectsDue: boolean;
  /**
   * More work remains before a comparison is meaningful: the round counted births that were then set aside,
   * so all groups are marked; or groups changed owners, so their objects are dirty.
   */
  readonly overtaken: boolean;
}

export interface FollowOptions {
  readonly stamp: VerdictStamp & { readonly cause?: string };
  /**
   * Keys with more than one birth, if the caller has read them since the tail started; rounds see later ones.
   */
  readonly duplicates?: readonly ObjectKey[];
  /** The sources of births, under the same condition. */
  readonly sources?: readonly SourceCount[];
}

/** Evaluates the objects of `rows` again with all their births; sets aside those that fail. */
export async function reviseSeen(
  tx: Transaction,
  retryTarget: RetryTarget,
  rows: readonly TailRow[],
  options: VerdictStamp & { readonly rules: Rules; readonly cause?: string },
  add: (written: Written) => void,
): Promise<readonly bigint[]> {
  const failed = await tryAll(tx, rows, async (part) =>
    add(
      await reviseObjects(
        tx,
        part.map(({ collection, code }) => ({ collection, code })),
        options,
      ),
    ),
  );
  const births = failed.map(({ item, error }) => ({ item: item.id, error }));
  const aside = await setAside(tx, retryTarget, births);
  // The round has counted these births already.
  if (aside.length > 0) await markAllGroups(tx);
  return aside;
}

export async function followRound(
  tx: Transaction,
  retryTarget: RetryTarget,
  round: TailRound,
  options: FollowOptions,
): Promise<Followed> {
  const { stamp } = options;
  const { at } = stamp;
  const seen = round.rows.length > 0 || round.recomputed || round.rebased !== null;
  const decided = await takeInputChanges(tx, { evaluated: true });
  const before = await readRules(tx, { map: round.map });
  const trustChanged = decided.origins.length + decided.collections.length > 0;
  const sources = options.sources ?? (seen || trustChanged ? await readSources(tx, before.input) : undefined);
  const gate =
    sources === undefined ? { single: [] } : await reconcileSources(tx, sources, { ...before, at });
  // Read again: reconcileSources may have changed which collections are accepted as a whole.
  const rules =
    sources === undefined
      ? before
      : { ...before, input: await readInputRules(tx, before.content, before.scopes) };
  await refreshInventory(tx, at);
  const groups = await evaluateGroups(tx, { ...stamp, rules });
  let changed = BigInt(groups.inserted + groups.changed + groups.superseded);
  const add = (written: Written) => {
    changed += BigInt(written.inserted + written.changed + written.superseded);
  };
  const all = { ...stamp, rules };
  const aside = await reviseSeen(tx, retryTarget, round.rows, all, add);
  add(await materializeUnborn(tx, all));
  add(await reviseObjects(tx, [...decided.objects, ...gate.single], all));
  // Trust in a source changed: evaluate all objects that count one by one.
  if (trustChanged) add(await materializeObjects(tx, { ...all, of: { collections: rules.map.individual } }));
  const independent = await reconcileIndependentRows(tx, all);
  add(independent);
  changed += BigInt(independent.lapsed);
  const objectsDue = await areObjectsDue(tx, groups.bases, all);
  const moved = seen || trustChanged || objectsDue;
  if (moved) {
    const reconciled = await reconcileObjectRows(tx, all);
    add(reconciled);
    changed += BigInt(reconciled.tombstones);
  }
  const duplicates = options.duplicates ?? (moved ? await readDuplicateBirths(tx) : undefined);
  if (duplicates !== undefined) add(await reconcileDuplicates(tx, duplicates, all));
  const walkObjects = round.rebased !== null || round.remapped;
  const overtaken = aside.length > 0 || groups.superseded > 0;
  return { rules, changed, walkObjects, objectsDue, overtaken };
}
