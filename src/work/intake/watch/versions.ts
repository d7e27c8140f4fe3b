// Owns telling at a glance that nobody has written to a registry since it was last looked at: every write leaves a row in another
// place, or by another transaction. Comparing contents, which costs ten times as much, is for those where something was.
import { createHash } from 'node:crypto';
import { readRowVersions, type Transaction } from '../../../db/index.js';
import type { Watched } from './registries.js';
import { plainTables } from './versions.sql.js';

/** What each of `watched` is at, by source; those that cannot be told are left out. */
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
