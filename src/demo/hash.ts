// Owns the fingerprint of the host's tables. It shows that an operation left them unchanged, or that two
// builds are equal. It does not depend on the row order; every column counts.
import { type Database, statement } from '../db/index.js';
import { estateTables } from './tables.js';

export interface TableHash {
  readonly name: string;
  readonly rows: bigint;
  /** The sum of 64-bit row hashes: equal tables have equal sums for every row order. */
  readonly hash: string;
}

// Rows are hashed as text, so the result depends on the time zone and date style, which every transaction
// sets to the same values.
const hashTables = statement<Record<never, never>, TableHash>({
  name: 'demo.hash',
  sql: estateTables
    .map(
      (name) =>
        `select '${name}' as name, count(*) as rows, ` +
        `coalesce(sum(hashtextextended(t::text, 0)), 0)::text as hash from ${name} as t`,
    )
    .join(' union all '),
});

/** Row count and content hash of every table of the estate, in the order of `estateTables`. */
export async function hashEstate(db: Database): Promise<TableHash[]> {
  const options = { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 5 * 60_000 } as const;
  const found = await db.transaction(options, (tx) => tx.run(hashTables, {}));
  const byName = new Map(found.map((table) => [table.name, table]));
  return estateTables.flatMap((name) => byName.get(name) ?? []);
}
