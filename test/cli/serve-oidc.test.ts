// `gcos serve --oidc-…` as a process: a browser signs in through it, its secret stays in it, and wrong
// options end it with what to do.
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { Browser, startProvider, type TestProvider } from '../support/oidc.js';
import { until } from '../support/wait.js';

let estate: Estate;
let provider: TestProvider;
const running: ChildProcess[] = [];
const SUBJECT = 'subject-of-ana';

beforeAll(async () => {
  [estate, provider] = await Promise.all([createEstate('installed'), startProvider()]);
  await estate.gcos.people.add('ana', { identity: { issuer: provider.issuer, subject: SUBJECT } });
  provider.account = SUBJECT;
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await provider?.close();
  await estate?.close();
});

const options = (changes: Readonly<Record<string, string | undefined>> = {}): string[] =>
  Object.entries({
    '--oidc-issuer': provider.issuer,
    '--oidc-client-id': provider.oidc.clientId,
    '--oidc-client-secret': 'env:OIDC_SECRET',
    '--public-url': provider.oidc.publicUrl,
    ...changes,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
const env = () => ({
  DATABASE_URL: estate.url,
  GCOS_SERVER_URL: urlAs(estate.url, 'server'),
  OIDC_SECRET: provider.oidc.clientSecret,
});

/** Starts the server on any free port, and waits until it says where. */
async function serve(args: readonly string[]) {
  const { child, done } = startCli(['serve', '--port', '0', ...args], { env: env() });
  running.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: string) => {
      printed += text;
    });
  const url = await until('it serves', () => {
    if (child.exitCode !== null) throw new Error(printed);
    return /serving (http:\S+)\/api\/v1/.exec(printed)?.[1];
  });
  return { child, done, url, printed: () => printed };
}

it('signs a person in, and shows its secret nowhere', async () => {
  const { child, done, url, printed } = await serve(options());
  const browser = new Browser(url);
  expect((await browser.signIn('/findings')).location).toBe(`${provider.oidc.publicUrl}/findings`);
  expect((await browser.open('/api/v1/session')).json).toMatchObject({ name: 'ana', level: 'oidc' });
  expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(provider.oidc.clientSecret);
  child.kill('SIGTERM');
  expect((await done).exit).toBe(0);
  for (const secret of [provider.oidc.clientSecret, provider.lastToken, SUBJECT, 'code='])
    expect(printed()).not.toContain(secret);
});

it('serves while the provider is away, and says so', async () => {
  await provider.stop();
  const { child, done, url, printed } = await serve(options());
  await until('it is said', () => printed().includes('"provider_unavailable"'));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/api/v1/session/oidc/start`, { redirect: 'manual' })).status).toBe(503);
  await provider.listen();
  expect((await new Browser(url).signIn()).status).toBe(302);
  child.kill('SIGTERM');
  expect((await done).exit).toBe(0);
});

it('refuses options that cannot be right, and repeats no secret', async () => {
  const empty = join(mkdtempSync(join(tmpdir(), 'gcos-oidc-')), 'empty');
  writeFileSync(empty, '\n');
  const secret = 'a-secret-on-the-command-line';
  for (const [changes, says] of [
    [{ '--public-url': undefined }, /belong together/],
    [{ '--oidc-client-secret': secret }, /neither env:NAME nor file:PATH/],
    [{ '--oidc-client-secret': 'env:NOT_SET_ANYWHERE' }, /there is nothing at/],
    [{ '--oidc-client-secret': `file:${empty}` }, /there is nothing at/],
    [{ '--oidc-client-secret': 'file:/nowhere/at/all' }, /cannot be read/],
    [{ '--oidc-issuer': 'http://id.example.org' }, /is no https address/],
    [{ '--public-url': 'https://gcos.example.org' }, /begins with https exactly if/],
  ] as const) {
    const { exit, stderr } = await runCli(['serve', '--port', '0', ...options(changes)], { env: env() });
    expect([JSON.stringify(changes), exit]).toEqual([JSON.stringify(changes), 3]);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain(secret);
  }
});
