// Owns finding keys that were born more than once, over the whole table.
import { statement, type Transaction } from '../../../db/index.js';
import duplicatesSql from './duplicates.sql.js';
import type { ObjectKey } from './pick.js';

const findDuplicateKeys = statement({
  name: 'input.find_duplicates',
  sql: duplicatesSql,
  params: {},
  columns: { collection_name: 'text', entity_code: 'text', births: 'int8' },
});
export const duplicateStatements = [findDuplicateKeys];

/** The keys that were born more than once. Writes nothing: it can run beside other work. */
export async function readDuplicateBirths(tx: Transaction): Promise<readonly ObjectKey[]> {
  // Sorted, not hashed: a million narrow keys take two thirds of the time, and a third of the memory.
  await tx.script("set local work_mem = '64MB'; set local enable_hashagg = off");
  const found = await tx.run(findDuplicateKeys, {});
  await tx.script('set local work_mem to default; set local enable_hashagg to default');
  return found.map((row) => ({ collection: row.collection_name, code: row.entity_code }));
}
