// Owns the statements of this room and what they take and return.
import type { RowOf, Transaction } from '../../db/index.js';
import { findTables } from './group.sql.js';

/** Which of the optional tables of dimensions there are, asked for once in a transaction. */
export function findDimensions(tx: Transaction): Promise<readonly RowOf<typeof findTables>[]> {
  return tx.once('group.find_tables', () => tx.run(findTables, {}));
}
