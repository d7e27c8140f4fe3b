// Owns the coarse look at births a near round added up: whichever of them a contract, or nobody vouching for their source, could
// hold something against. Usually none: then no birth of a class that inherits costs a statement of its own.
import type { Transaction } from '../../../db/index.js';
import { type Appended, birthsIn } from '../../../inventory/tail/index.js';
import { type JudgeOptions, pickParams } from './pick.js';
import { findAllIds, findSuspectIds } from './suspects.sql.js';

/** Ids of births in `appended` to be judged, of collections none of whose members counts by itself. */
export async function findSuspects(
  tx: Transaction,
  appended: Appended,
  options: JudgeOptions,
): Promise<readonly bigint[]> {
  if (appended.above === null && appended.gaps.length === 0) return [];
  const rows = await tx.run(findSuspectIds, { ...pickParams(options).vouched, ...birthsIn(appended) });
  return rows.map((row) => row.id);
}

/** More are not worth carrying around: then every page is looked into for itself. */
const MOST_SUSPECTS = 200_000;

/** Ids of all births that are to be judged, ascending; undefined where there are too many. */
export async function findAllSuspects(
  tx: Transaction,
  options: JudgeOptions,
): Promise<readonly bigint[] | undefined> {
  const limit = BigInt(MOST_SUSPECTS + 1);
  const rows = await tx.run(findAllIds, { ...pickParams(options).params, limit });
  if (rows.length > MOST_SUSPECTS) return undefined;
  return rows.map((row) => row.id).sort((left, right) => (left < right ? -1 : 1));
}
