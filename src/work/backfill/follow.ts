// Owns what follows from a round of the tail before the first handoff is there: groups are decided again, and the objects that the
// round saw, or may have lost, get or lose their rows. All of it is in the round's own transaction: nothing is seen and forgotten.
import type { Transaction } from '../../db/index.js';
import { markAllGroups, refreshInventory, type TailRound } from '../../inventory/index.js';
import {
  areObjectsDue,
  evaluateGroups,
  materializeUnborn,
  type ObjectKey,
  type Rules,
  readDuplicateBirths,
  reviseObjects,
  settleDuplicates,
  settleIndependent,
  settleObjects,
  type Triple,
} from '../../verdict/index.js';
import { tryAll } from './bisect.js';
import type { BackfillContext } from './context.js';
import { readRulesInForce } from './rules.js';
import { setAside } from './set-aside.js';
import { askForWalk } from './state.js';

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
  readonly triple: Triple;
  /** Keys born more than once, where somebody has looked since the tail started; what came later the rounds have seen. */
  readonly duplicates?: readonly ObjectKey[];
}

export async function followRound(
  tx: Transaction,
  context: BackfillContext,
  round: TailRound,
  options: FollowOptions,
): Promise<Followed> {
  const { triple } = options;
  const { at } = triple;
  const rules = await readRulesInForce(tx, round.map);
  await refreshInventory(tx, at);
  const groups = await evaluateGroups(tx, { ...triple, rules });
  let changed = BigInt(groups.inserted + groups.changed + groups.superseded);
  const add = (written: {
    readonly inserted: number;
    readonly changed: number;
    readonly superseded: number;
  }) => {
    changed += BigInt(written.inserted + written.changed + written.superseded);
  };
  const all = { ...triple, rules };
  const failed = await tryAll(tx, round.rows, async (rows) =>
    add(
      await reviseObjects(
        tx,
        rows.map(({ collection, code }) => ({ collection, code })),
        all,
      ),
    ),
  );
  if (failed.length > 0) {
    const births = failed.map(({ item, error }) => ({ item: item.id, error }));
    await setAside(tx, context.lease, births, at);
    // The round has counted them already.
    await markAllGroups(tx);
  }
  add(await materializeUnborn(tx, all));
  const independent = await settleIndependent(tx, all);
  add(independent);
  changed += BigInt(independent.lapsed);
  const objectsDue = await areObjectsDue(tx, all);
  const moved = round.rows.length > 0 || round.recomputed || round.rebased !== null || objectsDue;
  if (moved) {
    const settled = await settleObjects(tx, all);
    add(settled);
    changed += BigInt(settled.tombstones);
  }
  const duplicates = options.duplicates ?? (moved ? await readDuplicateBirths(tx) : undefined);
  if (duplicates !== undefined) add(await settleDuplicates(tx, duplicates, all));
  const walkObjects = round.rebased !== null || round.remapped;
  if (walkObjects) await askForWalk(tx, context.lease);
  const overtaken = failed.length > 0 || groups.superseded > 0;
  return { rules, changed, walkObjects, objectsDue, overtaken };
}
