// Owns what follows from a round of the tail: in a closing run all groups are decided again, and whoever follows, the objects that
// the round saw, or may have lost, get or lose their rows. All of it is in the round's own transaction: nothing is seen and forgotten.
import type { Transaction } from '../../db/index.js';
import { refreshInventory } from '../../inventory/group/index.js';
import { markAllGroups, type TailRound, type TailRow } from '../../inventory/tail/index.js';
import {
  areObjectsDue,
  evaluateGroups,
  materializeObjects,
  materializeUnborn,
  type Rules,
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
import { readRulesInForce } from './rules.js';
import { type RetryTarget, setAside } from './set-aside.js';

export interface Followed {
  readonly rules: Rules;
  /** Rows that were written, for a reason other than time. */
  readonly changed: bigint;
  /** Objects must be looked at in a walk of their own: the round did not go through rows one by one, or has other groups for them. */
  readonly walkObjects: boolean;
  /** Objects whose rows are dirty, have expired or follow from other rules: they need such a walk, too. */
  readonly objectsDue: boolean;
  /**
   * There is more to do before a comparison is of what is left: births that could not be taken in were counted by the round, so
   * everything is marked; or groups have other owners, so their objects are dirty.
   */
  readonly overtaken: boolean;
}

export interface FollowOptions {
  readonly stamp: VerdictStamp;
  /** Keys born more than once, where somebody has looked since the tail started; what came later the rounds have seen. */
  readonly duplicates?: readonly ObjectKey[];
  /** Where births come from, likewise. */
  readonly sources?: readonly SourceCount[];
}

/** Looks again at the objects of `rows` with all their births; those that fail are set aside, the others are done. */
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
  const aside = await setAside(tx, retryTarget, births, options.at);
  // The round has counted them already.
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
  const before = await readRulesInForce(tx, round.map);
  const trustChanged = decided.origins.length + decided.collections.length > 0;
  const sources = options.sources ?? (seen || trustChanged ? await readSources(tx, before.input) : undefined);
  const gate =
    sources === undefined ? { single: [] } : await reconcileSources(tx, sources, { ...before, at });
  // Read again, if which collections are not accepted as a whole has just been settled.
  const rules =
    sources === undefined ? before : { ...before, input: await readInputRules(tx, before.scopes) };
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
  // Whose source is judged otherwise now: those that count one by one, wherever they are.
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
