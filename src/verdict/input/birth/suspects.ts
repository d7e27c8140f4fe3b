// Owns the coarse filter over the births that a near round added: the births that a contract may reject or
// whose source is unvouched. Usually there are none, and births of inheriting classes then cost no statement
// each.
import type { Transaction } from '../../../db/index.js';
import { type Appended, birthsIn } from '../../../inventory/tail/index.js';
import { type JudgeOptions, pickParams } from './pick.js';
import { findAllIds, findSuspectIds } from './suspects.sql.js';

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
): Promise<readonly bigint[] | undefined> {
  const limit = BigInt(MOST_SUSPECTS + 1);
  const rows = await tx.run(findAllIds, { ...pickParams(options).params, limit });
  if (rows.length > MOST_SUSPECTS) return undefined;
  return rows.map((row) => row.id).sort((left, right) => (left < right ? -1 : 1));
}
