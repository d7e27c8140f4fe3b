// An auditor: a plain client that runs the files of an exported ledger in read-only transactions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

export const AUDIT_FILES = [
  '01-fingerprints.sql',
  '02-inventory.sql',
  '03-both-sides.sql',
  '04-terms.sql',
] as const;

/** The result of an audit that finds no difference. */
export const NOTHING_DIFFERS = Object.fromEntries(AUDIT_FILES.map((name) => [name, []]));

/** The rows that each file in `directory` returns. The extended protocol accepts one statement per file. */
export async function runAudit(
  url: string,
  directory: string,
  names: readonly string[] = AUDIT_FILES,
): Promise<Record<string, Record<string, unknown>[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found: Record<string, Record<string, unknown>[]> = {};
    for (const name of names) {
      await client.query('begin read only');
      const query = { text: readFileSync(join(directory, name), 'utf8'), queryMode: 'extended' };
      found[name] = (await client.query<Record<string, unknown>>(query)).rows;
      await client.query('rollback');
    }
    return found;
  } finally {
    await client.end();
  }
}
