// Owns the review of all objects, for when it is unknown which births changed: the tail has read the whole
// table again, or rounds took changes in while nothing could be decided. It finds every object that needs a
// row of its own, and ends the rows of all others. INVARIANT: afterwards the rows of objects are those that a
// run over everything would write; groups and coverage are evaluated by the scan that follows the marks.
import type { Transaction } from '../../db/index.js';
import { markAllGroups, readSweepBounds } from '../../inventory/tail/index.js';
import {
  materializeObjects,
  materializeUnborn,
  type Rules,
  reconcileDuplicates,
  reconcileIndependentRows,
  reconcileObjectRows,
  reviseObjects,
  type VerdictStamp,
} from '../../verdict/candidate/index.js';
import {
  findAllSuspects,
  readDuplicateBirths,
  readInputRules,
  readSources,
  reconcileSources,
} from '../../verdict/input/index.js';
import { type Failed, tryAll, tryRange } from './bisect.js';
import { type RetryTarget, setAside } from './set-aside.js';

/** How many births one statement evaluates: a list of ids, or a range of them. */
const IDS_AT_ONCE = 10_000;
const RANGE = 200_000;

export interface Reviewed {
  /** Collections whose acceptance as a whole changed. */
  readonly sources: readonly string[];
  readonly tombstones: number;
  readonly setAside: number;
}

type Options = VerdictStamp & { readonly rules: Rules; readonly cause: string };

/** Writes the rows of all births that may need one; returns those that failed. */
async function materializeAll(tx: Transaction, options: Options): Promise<readonly Failed<bigint>[]> {
  const failed: Failed<bigint>[] = [];
  const ids = await findAllSuspects(tx, { ...options.rules, at: options.at });
  if (ids !== undefined) {
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
      failed.push(
        ...(await tryAll(tx, ids.slice(from, from + IDS_AT_ONCE), (part) =>
          materializeObjects(tx, { ...options, of: { ids: part } }),
        )),
      );
    return failed;
  }
  for (let after: bigint | null = null; ; ) {
    const { first, last } = await readSweepBounds(tx, { after, limit: RANGE });
    if (first === null || last === null) return failed;
    failed.push(...(await tryRange(tx, { first, last }, (of) => materializeObjects(tx, { ...options, of }))));
    after = last;
  }
}

/** Looks at every object in the caller's transaction. INVARIANT: the rules are in force, not withheld. */
export async function reviewObjects(
  tx: Transaction,
  retryTarget: RetryTarget,
  given: Options,
): Promise<Reviewed> {
  const { at, rules: before } = given;
  const sources = await reconcileSources(tx, await readSources(tx, before.input), { ...before, at });
  // Read again: reconcileSources may have changed which collections are accepted as a whole.
  const options = {
    ...given,
    rules: { ...before, input: await readInputRules(tx, before.content, before.scopes) },
  };
  const aside = await setAside(tx, retryTarget, await materializeAll(tx, options));
  // The round has counted these births already.
  if (aside.length > 0) await markAllGroups(tx);
  await reviseObjects(tx, sources.single, options);
  const { gone } = await materializeUnborn(tx, options);
  await reconcileIndependentRows(tx, options);
  const { tombstones } = await reconcileObjectRows(tx, options);
  await reconcileDuplicates(tx, await readDuplicateBirths(tx), options);
  return { sources: sources.changed, tombstones: tombstones + gone, setAside: aside.length };
}
