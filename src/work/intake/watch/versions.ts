// Owns the cheap check that a registry was not written since it was last read: every write changes the place
// or the transaction of a row. Comparing contents costs ten times as much and is limited to modified
// registries.
import { createHash } from 'node:crypto';
import { readRowVersions, type Transaction } from '../../../db/index.js';
import type { Watched } from './registries.js';
import { plainTables } from './versions.sql.js';

/** The version of each of `watched`, by source; omits tables without one. */
export async function readVersions(
  tx: Transaction,
  watched: readonly Watched[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(watched.map((each) => each.table))];
  const plain = await tx.run(plainTables, { names });
  const rows = await readRowVersions(
    tx,
    plain.map((each) => each.name),
  );
  const structures = new Map(plain.map((each) => [each.name, each.structure]));
  return new Map(
    watched.flatMap((each) => {
      const structure = structures.get(each.table);
      if (structure === undefined) return [];
      const parts = [structure, rows.get(each.table), each.key, each.content, each.facts, each.only ?? null];
      return [[each.source, createHash('sha256').update(JSON.stringify(parts)).digest('base64')] as const];
    }),
  );
}
