// The shell steps in examples/ci run as a pipeline runs them: on a scratch database, after its migrations.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkout } from './support/cli.js';
import { asHost } from './support/database.js';
import { startServer, type TestServer } from './support/server.js';
import { createShop, type Shop } from './support/shop.js';

interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}
const textOf = (file: string) => readFileSync(join(checkout, 'examples/ci', file), 'utf8');
const { runs } = parse(textOf('action.yml')) as { runs: { steps: readonly Step[] } };
const { gcos } = parse(textOf('gitlab.yml')) as {
  gcos: { script: readonly string[]; artifacts: { reports: { junit: string } } };
};

let server: TestServer;
let shop: Shop;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  shop = await createShop('', {
    serverUrl: server.url,
    schema: 'create table orders (id bigint primary key)',
  });
  folder = mkdtempSync(join(tmpdir(), 'gcos-ci-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await shop.close();
  await server.stop();
});

/** As a runner does: in bash, and a step ends with its first error. */
function shell(text: string): Promise<{ readonly exit: number; readonly stdout: string }> {
  const env = {
    ...process.env,
    ESTATE_URL: shop.readerUrl,
    NAME: 'shop',
    GCOS: `node ${join(checkout, 'dist/gcos.js')}`,
  };
  return new Promise((done) =>
    execFile('bash', ['-eo', 'pipefail', '-c', text], { cwd: folder, env }, (error, stdout) =>
      done({ exit: error === null ? 0 : Number(error.code), stdout }),
    ),
  );
}

it('blocks an object without an owner, with the statement; and passes once it was executed', async () => {
  const [report, check] = runs.steps.map((each) => each.run);
  for (const { env } of runs.steps) expect(Object.keys(env)).toEqual(['ESTATE_URL', 'NAME', 'GCOS']);
  expect((await shell(report ?? '')).exit).toBe(0);
  const sarif = JSON.parse(readFileSync(join(folder, 'gcos.sarif'), 'utf8'));
  const statements = sarif.runs[0].results.map(
    (each: { properties: { fix: string } }) => each.properties.fix,
  );
  expect(statements).toContain(`COMMENT ON TABLE public.orders IS '@owner team-shop';`);
  const first = await shell(check ?? '');
  expect(first.exit).toBe(2);
  expect(first.stdout).toContain('::error title=gcos%3A orphan::table public.orders');
  expect((await shell(gcos.script.join('\n'))).exit).toBe(2);
  expect(existsSync(join(folder, gcos.artifacts.reports.junit))).toBe(true);
  for (const each of statements) await asHost(shop.url, each);
  expect((await shell(check ?? '')).exit).toBe(0);
  expect((await shell(gcos.script.join('\n'))).exit).toBe(0);
}, 300_000);
