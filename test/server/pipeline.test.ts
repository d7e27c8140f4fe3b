// The first minute of docs/api.md, to the letter: the commands that a pipeline runs, and the whole step of
// GitHub Actions, in bash, with curl and jq.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkout } from '../support/cli.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

const page = readFileSync(join(checkout, 'docs/api.md'), 'utf8');
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
const [step] = parse(block('yaml')) as readonly { readonly run: string }[];
const BLOCKED = { collection: 'dot_tools', code: 'DOT-117' };

let estate: Estate;
let server: TestServer;
let folder: string;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate);
  folder = mkdtempSync(join(tmpdir(), 'gcos-pipeline-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.close();
  await estate?.close();
});

/** As a runner does: in bash, in a folder of its own. */
function run(script: string, url = server.url): Promise<{ readonly exit: number; readonly output: string }> {
  const env = {
    PATH: process.env['PATH'],
    GCOS_URL: url,
    GCOS_TOKEN: server.tokens.gate,
    GITHUB_RUN_ID: '17',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  };
  return new Promise((resolve) => {
    const child = execFile('bash', ['-e', '-c', script], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve({ exit: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });
}
const summary = () => readFileSync(join(folder, 'summary.md'), 'utf8');
const release = (...items: readonly object[]) =>
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ items, stage: 'prod' }));

it('asks with curl, and stops at a block', async () => {
  const { exit, output } = await run(block('sh'));
  expect(output).toContain('it has no approval path');
  expect(exit, output).toBe(1);
});

it('stops the step of GitHub Actions at a block, and says why in its summary', async () => {
  const permitted = { collection: 'dot_tools', code: 'DOT-118' };
  release(permitted);
  const { exit, output } = await run(step?.run ?? 'false');
  expect(exit, output).toBe(0);
  expect(summary()).toBe('');
  release(permitted, BLOCKED);
  expect((await run(step?.run ?? '')).exit).not.toBe(0);
  expect(summary()).toContain('it has no approval path');
  expect(server.logged.join('\n')).toContain('"request_id":"17-1"');
});

it('stops where there is no answer', async () => {
  release(BLOCKED);
  const gone = await startServer(estate);
  await gone.close();
  // The step waits before it tries again; a test does not.
  expect((await run((step?.run ?? '').replace(/--retry 3 --retry-connrefused/, ''), gone.url)).exit).toBe(7);
});
