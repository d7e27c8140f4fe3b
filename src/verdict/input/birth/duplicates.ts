// Owns finding keys that were born more than once, over the whole table: grouped by a hash of the key, which is narrow; only what
// shares a hash is looked at again, and compared as it is.
import type { Transaction } from '../../../db/index.js';
import { findShared, readKeys } from './duplicates.sql.js';
import type { ObjectKey } from './pick.js';

/** The keys that were born more than once. Writes nothing: it can run beside other work. */
export async function readDuplicateBirths(tx: Transaction): Promise<readonly ObjectKey[]> {
  // Sorted, not hashed: a million narrow keys take two thirds of the time, and a third of the memory.
  const sorting = { work_mem: "'64MB'", enable_hashagg: 'off' };
  const found = await tx.withSettings(sorting, () => tx.run(findShared, {}));
  if (found.length === 0) return [];
  const keys = await tx.run(readKeys, { hashes: found.map((row) => row.key_hash) });
  return keys.map((row) => ({ collection: row.collection_name, code: row.entity_code }));
}
