// An estate with the most hostile names that PostgreSQL allows: they come through the ledger, the findings,
// the report and the exports as they are; no output of a terminal obeys them; and each printed statement
// executes as it is printed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { quoteIdentifier } from '../src/db/index.js';
import { asHost, createDatabase, type TestDatabase } from './support/database.js';
import { runHere } from './support/in-process.js';
import { startServer, type TestServer } from './support/server.js';

const NAMES = [
  'a"b""c',
  "it's",
  'back\\slash \\u0041 U&"x"',
  'two\nlines\r\n\ttab',
  '\u001b[31mred\u001b[0m',
  '\u202egnp.exe\u2066',
  'שלום עולם العربية',
  `${'🦉'.repeat(15)}abc`,
  `${'é'.repeat(31)}x`,
  '; drop table orders; --',
  '/* $1 %s {{part}} $$',
  '<&]]>::error::%0A',
];
/** As `pg_identify_object` prints them. */
const CODES = NAMES.map((name) => `public.${quoteIdentifier(name)}`);

let server: TestServer;
let estate: TestDatabase;
let home: TestDatabase;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  estate = await createDatabase({ serverUrl: server.url });
  home = await createDatabase({ serverUrl: server.url });
  folder = mkdtempSync(join(tmpdir(), 'gcos-hostile-'));
  for (const name of NAMES) {
    const id = quoteIdentifier(name);
    // Without a primary key, and a function without a pinned search path: findings of detectors.
    await asHost(
      estate.url,
      `create table ${id} (${id} integer, email text);
       create function ${id}() returns integer language sql security definer as 'select 1'`,
    );
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await estate.close();
  await home.close();
  await server.stop();
});

const env = () => ({
  ESTATE_URL: estate.url,
  DATABASE_URL: undefined,
  GCOS_HOME: join(folder, 'home'),
  GCOS_READER_URL: undefined,
});
const run = (...args: string[]) => runHere(args, env());
const check = (...args: string[]) => run('govern', 'env:ESTATE_URL', '--name', 'estate', '--check', ...args);
/** A line end is the only character that a terminal may obey. */
const obeyed = (text: string) => text.match(/[^\P{C}\n]/gu);

it('brings hostile names through ledger, findings and exports, and its statements execute as printed', async () => {
  const governed = await run('govern', 'env:ESTATE_URL', '--name', 'estate', '--home', home.url, '--json');
  expect(governed.exit, governed.stdout + governed.stderr).toBe(0);
  const { estate: report } = JSON.parse(governed.stdout) as {
    estate: { gaps: { class: string; code: string }[] };
  };
  const without = (of: string) => report.gaps.filter((each) => each.class === of).map((each) => each.code);
  expect(without('table').sort()).toEqual([...CODES].sort());

  // The ledger counts each once, and the independent check of its export agrees.
  const at = ['--database-url', home.url];
  const ledger = JSON.parse((await run('ledger', 'verify', '--json', ...at)).stdout);
  expect(ledger.closes).toBe(true);
  const born = await asHost(
    home.url,
    `select entity_code from birth_registry where collection_name = 'estate_table'`,
  );
  expect(born.map((each) => each['entity_code']).sort()).toEqual([...CODES].sort());
  const exported = await run('ledger', 'export', '--out', join(folder, 'export'), '--json', ...at);
  expect(exported.exit, exported.stderr).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'export/ledger.json'), 'utf8')).closes).toBe(true);
  const shown = await run('explain', 'estate_table', CODES[4] ?? '', ...at);
  expect([shown.exit, obeyed(shown.stdout)]).toEqual([0, null]);

  const findings = await run('finding', 'list', '--json', '--limit', '500', ...at);
  expect([findings.exit, JSON.parse(findings.stdout).findings.length > 0]).toEqual([0, true]);
  expect(obeyed((await run('finding', 'list', '--limit', '500', ...at)).stdout)).toBeNull();

  const first = await check('--format', 'text');
  expect([first.exit, obeyed(first.stdout)]).toEqual([2, null]);
  const sarif = JSON.parse((await check('--format', 'sarif')).stdout) as {
    runs: { results: { locations: { logicalLocations: { fullyQualifiedName: string }[] }[] }[] }[];
  };
  const places = (sarif.runs[0]?.results ?? []).flatMap((each) =>
    each.locations.flatMap((place) => place.logicalLocations.map((one) => one.fullyQualifiedName)),
  );
  for (const code of CODES) expect(places).toContain(code);

  const statements = [...first.stdout.matchAll(/^ {4}(\S.*;)$/gm)].map((each) => each[1] ?? '');
  expect(statements.length).toBeGreaterThanOrEqual(2 * NAMES.length);
  for (const statement of statements) await asHost(estate.url, statement);
  const second = await check('--format', 'text');
  expect(second.exit, second.stdout).toBe(0);
}, 600_000);
