// A home: an empty database in which GCOS created the host, and files to read. The command line runs in this
// process, as a user types it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CliResult } from './cli.js';
import { asHost, createDatabase, type TestDatabase } from './database.js';
import { runHere } from './in-process.js';

export interface SourceHome extends TestDatabase {
  /** Where the files of the test are. */
  readonly folder: string;
  run(...args: string[]): Promise<CliResult>;
  /** Runs a command that must succeed; its JSON. */
  json(...args: string[]): Promise<Record<string, unknown>>;
  sql(text: string): Promise<Record<string, unknown>[]>;
  write(name: string, text: string): string;
}

export async function createEmpty(): Promise<SourceHome> {
  const database = await createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'gcos-source-'));
  const run = (...args: string[]) => runHere(args, { DATABASE_URL: database.url });
  return {
    ...database,
    folder,
    run,
    async json(...args) {
      const { exit, stdout, stderr } = await run(...args, '--json');
      expect(exit, `gcos ${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    sql: (text) => asHost(database.url, text),
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
      await database.close();
    },
  };
}

export async function createSourceHome(): Promise<SourceHome> {
  const home = await createEmpty();
  await home.json('init', '--with', 'host');
  return home;
}

/** Everything that a sync writes, with the transaction that wrote each row. */
export const WRITTEN = `
  select 'object' as what, xmin::text, object_class || ' ' || code as key from gcos_source_object
  union all select 'birth', xmin::text, collection_name || ' ' || entity_code from birth_registry
  union all select 'audit', xmin::text, id::text from registry_changelog
  union all select 'owner', xmin::text, id::text from governance_object_ownership
  union all select 'body', xmin::text, code from governance_registry
  union all select 'class', xmin::text, code from meta_catalog
  order by 1, 3`;
