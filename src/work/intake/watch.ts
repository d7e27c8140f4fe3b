// Owns the detection of registry changes: rows are compared with their last state by a hash of the relevant
// columns. One set-based statement per modified registry returns only the differences.
import { z } from 'zod';
import { fillParts, quoteIdentifier, quoteLiteral, type Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import { statusRegistries } from '../../inventory/snapshot/index.js';
import { REGISTRIES, type Watched } from './watch/registries.js';
import { readVersions } from './watch/versions.js';
import { diffWatched, findTables, forgetRows, keepRows, memberColumns } from './watch.sql.js';

/** SQL condition for the watched rows of a registry. */
const rowsWatched = ({ only }: Watched): string =>
  only === undefined ? '' : `where j.fields ->> ${quoteLiteral(only.column)} = ${quoteLiteral(only.value)}`;

const factsSchema = z.array(z.record(z.string(), z.unknown()));
export type RowFacts = z.infer<typeof factsSchema>;

export interface Difference {
  readonly watched: Watched;
  readonly action: 'added' | 'updated' | 'removed';
  /** The values of the key columns. */
  readonly key: readonly string[];
  readonly before: RowFacts;
  readonly after: RowFacts;
}

export const MEMBER = 'member:';

/** Registries whose members are evaluated one by one: their rows are watched for status and references. */
async function memberRegistries(tx: Transaction, map: ClassMap): Promise<readonly Watched[]> {
  const usable = statusRegistries(map).filter(
    (each) => each.present && each.readable && each.codeColumn !== null,
  );
  const columns = new Map(
    (
      await tx.run(memberColumns, {
        registries: usable.map((each) => each.name),
        migrations: usable.map((each) => each.lifecycle?.migrationColumn ?? null),
        replacements: usable.map((each) => each.lifecycle?.supersedes?.column ?? null),
      })
    ).map((row) => [row.registry, row.columns]),
  );
  return usable.flatMap(({ name, codeColumn }) =>
    codeColumn === null
      ? []
      : [
          {
            source: `${MEMBER}${name}`,
            table: name,
            key: [codeColumn],
            content: columns.get(name) ?? [codeColumn],
            facts: columns.get(name) ?? [codeColumn],
            reshapes: false,
          },
        ],
  );
}

const parse = (text: string | null): RowFacts => (text === null ? [] : factsSchema.parse(JSON.parse(text)));
const texts = (key: string): readonly string[] =>
  z
    .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .parse(JSON.parse(key))
    .map(String);

export interface Watching {
  readonly differences: readonly Difference[];
  /** The sources that are watched now. */
  readonly sources: readonly string[];
  /** The version of each registry, for the next call. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Returns the differences in all registries that exist, and stores their current state. In a registry that
 * was never read, every row differs; a registry whose version equals that in `known` is skipped.
 */
export async function readDifferences(
  tx: Transaction,
  map: ClassMap,
  known: Watching['versions'] = {},
): Promise<Watching> {
  const names = REGISTRIES.map((each) => each.table);
  const there = new Set((await tx.run(findTables, { names })).map((row) => row.name));
  const all = [...REGISTRIES.filter((each) => there.has(each.table)), ...(await memberRegistries(tx, map))];
  const versions = await readVersions(tx, all);
  const differences: Difference[] = [];
  const kept: { source: string; key: string; hash: string; facts: string }[] = [];
  const gone: { source: string; key: string }[] = [];
  for (const watched of all) {
    const { source, key, content, facts } = watched;
    const version = versions.get(source);
    if (version !== undefined && known[source] === version) continue;
    const diff = fillParts(diffWatched, {
      table: quoteIdentifier(watched.table),
      where: rowsWatched(watched),
    });
    for (const row of await tx.run(diff, { source, key, content, facts })) {
      const { row_key: rowKey, content_hash: hash, facts_before: before, facts_after: after } = row;
      differences.push({
        watched,
        action: hash === null ? 'removed' : before === null ? 'added' : 'updated',
        key: texts(rowKey),
        before: parse(before),
        after: parse(after),
      });
      if (hash === null) gone.push({ source, key: rowKey });
      else kept.push({ source, key: rowKey, hash, facts: after ?? '[]' });
    }
  }
  if (kept.length > 0)
    await tx.run(keepRows, {
      sources: kept.map((each) => each.source),
      keys: kept.map((each) => each.key),
      hashes: kept.map((each) => each.hash),
      facts: kept.map((each) => each.facts),
    });
  if (gone.length > 0)
    await tx.run(forgetRows, {
      sources: gone.map((each) => each.source),
      keys: gone.map((each) => each.key),
    });
  return {
    differences,
    sources: all.map((each) => each.source),
    versions: Object.fromEntries(versions),
  };
}
