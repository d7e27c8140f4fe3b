// Owns the coarse look at births a near round added up: whichever of them a contract, or nobody vouching for their source, could
// hold something against. Usually none: then no birth of a class that inherits costs a statement of its own.
import { statement, type Transaction } from '../../../db/index.js';
import { type Appended, birthsIn, ownBirthSql } from '../../../inventory/index.js';
import allSuspectsSql from './all-suspects.sql.js';
import { type JudgeOptions, PICK, pickParams, SUSPECT, UNVOUCHED, VOUCHED } from './pick.js';
import suspectsSql from './suspects.sql.js';

const findSuspectIds = statement({
  name: 'input.find_suspects',
  sql: suspectsSql
    .replace('{{own_birth}}', () => ownBirthSql)
    .replace('{{suspect}}', () => SUSPECT)
    .replace('{{unvouched}}', () => UNVOUCHED),
  params: { ...VOUCHED, first: 'int8?', last: 'int8?', gapFirst: 'int8[]', gapLast: 'int8[]' },
  columns: { id: 'int8' },
});
const findAllIds = statement({
  name: 'input.find_all_suspects',
  sql: allSuspectsSql.replace('{{suspect}}', () => SUSPECT),
  params: { ...PICK, limit: 'int8' },
  columns: { id: 'int8' },
});
export const suspectStatements = [findSuspectIds, findAllIds];

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
