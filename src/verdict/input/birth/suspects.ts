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
import { findIds, findSuspectIds } from './suspects.sql.js';

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
