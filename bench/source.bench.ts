// A million objects from a CSV file into an empty home: time and peak memory of the command; then again, with
// nothing changed; then with a broken line in the middle. Goals: under a minute, under 300 MB.
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../test/support/database.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { type MeasuredProcess, measureGcos } from './measured-process.js';

const OBJECTS = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'gcos-source-bench-'));
const path = join(folder, 'assets.csv');
let server: TestServer;

/** `broken`: the object whose line has a field too few. */
async function writeList(broken?: number): Promise<void> {
  const out = createWriteStream(path);
  out.write('id,team,tier,region,note\n');
  for (let from = 0; from < OBJECTS; from += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, n) => {
      const i = from + n;
      if (i === broken) return `asset-${i},team-0\n`;
      return `asset-${i},team-${i % 50},${i % 4},eu-${i % 9},"a note, number ${i}"\n`;
    });
    if (!out.write(lines.join(''))) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

const gcos = (...args: string[]) => measureGcos(...args, '--database-url', server.url, '--quiet');

beforeAll(async () => {
  server = await startServer();
  await writeList();
  for (const args of [
    ['init', '--with', 'host'],
    ['source', 'add', 'big', 'file', path, '--class', 'asset', '--code', 'id', '--link', 'owner=team'],
  ])
    expect((await gcos(...args)).exit).toBe(0);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function show(what: string, { ms, peakMb }: MeasuredProcess): void {
  console.log(`${what}: ${(ms / 1_000).toFixed(1)} s, peak ${peakMb?.toFixed(0) ?? '?'} MB`);
}

it('reads a million objects in under a minute and in under 300 MB', async () => {
  const first = await gcos('source', 'sync', 'big');
  expect(first.exit, first.errors).toBe(0);
  show('first sync', first);
  const again = await gcos('source', 'sync', 'big');
  expect(again.exit, again.errors).toBe(0);
  show('second sync, nothing changed', again);
  expect(await asHost(server.url, 'select count(*)::int as n from birth_registry')).toEqual([{ n: OBJECTS }]);
  expect(first.ms).toBeLessThan(60_000);
  for (const { peakMb } of [first, again]) if (peakMb !== undefined) expect(peakMb).toBeLessThan(300);
});

it('names the line of a broken list of a million lines, and changes nothing', async () => {
  const rows = () =>
    asHost(
      server.url,
      `select (select count(*)::int from birth_registry) as births, (select count(*)::int from registry_changelog) as audits,
         (select count(*)::int from gcos_source_object where status = 'active') as objects,
         (select max(xmin::text::bigint)::int from gcos_source_object) as newest`,
    );
  const before = await rows();
  await writeList(OBJECTS / 2);
  const broken = await gcos('source', 'sync', 'big');
  show('sync of a broken list', broken);
  console.log(broken.errors.trim());
  expect([broken.exit, broken.errors]).toEqual([3, expect.stringContaining(`line ${OBJECTS / 2 + 2}: `)]);
  expect(await rows()).toEqual(before);
});
