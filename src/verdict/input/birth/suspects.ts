// Owns the coarse filter over the births that a near round added, and over all births: those that a contract
// may reject or whose source is unvouched. Usually there are none, and births of inheriting classes then cost
// no statement each.
import type { Transaction } from '../../../db/index.js';
import {
  type Appended,
  birthsIn,
  type WalkBirthsOptions,
  walkBirths,
} from '../../../inventory/tail/index.js';
import { type JudgeOptions, pickParams } from './pick.js';
import { findIds, findIdsOf, findSuspectIds } from './suspects.sql.js';

/** Ids of the births in `appended` that must be judged, in collections whose members all inherit. */
export async function findSuspects(
  tx: Transaction,
  appended: Appended,
  options: JudgeOptions,
): Promise<readonly bigint[]> {
  if (appended.above === null && appended.gaps.length === 0) return [];
  const rows = await tx.run(findSuspectIds, { ...pickParams(options).vouched, ...birthsIn(appended) });
  return rows.map((row) => row.id);
}

/** Some births: with ids from `first` to `last`, with these ids, or of these collections. */
export type SomeBirths =
  | { readonly first: bigint; readonly last: bigint }
  | { readonly ids: readonly bigint[] }
  | { readonly collections: readonly string[] };

/** Ids of the births among `some` that must be judged. Those of a given list are judged in any case. */
export async function findIdsIn(
  tx: Transaction,
  some: SomeBirths,
  options: JudgeOptions,
): Promise<readonly bigint[]> {
  if ('ids' in some) return some.ids;
  const rows =
    'collections' in some
      ? await tx.run(findIdsOf, some)
      : await tx.run(findIds, { ...pickParams(options).params, ...some, limit: null });
  return rows.map((row) => row.id);
}

/** Above this number the list is not worth keeping in memory: each page is filtered separately. */
const MOST_SUSPECTS = 200_000;

/** Ids of all births that must be judged, ascending; undefined when there are too many. */
export async function findAllSuspects(
  tx: Transaction,
  options: JudgeOptions,
  reading: Pick<WalkBirthsOptions, 'pageSize' | 'onPage'> = {},
): Promise<readonly bigint[] | undefined> {
  const { params } = pickParams(options);
  const ids: bigint[] = [];
  const isEnough = () => ids.length > MOST_SUSPECTS;
  await walkBirths(tx, { ...reading, isEnough }, async (page) => {
    const rows = await tx.run(findIds, { ...params, ...page, limit: BigInt(MOST_SUSPECTS + 1) });
    return () => {
      for (const row of rows) ids.push(row.id);
    };
  });
  return isEnough() ? undefined : ids.sort((left, right) => (left < right ? -1 : 1));
}
