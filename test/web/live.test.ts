// The console while things happen: a change, a worker that dies, a server that restarts, a stream that is
// refused, a source that is synced. The page shows each by itself, without being loaded again.
import type { ChildProcess } from 'node:child_process';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Console, openConsole } from '../support/browser.js';
import { startCli } from '../support/cli.js';
import { fullToken } from '../support/console-estate.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createGatedHome } from '../support/gated-home.js';
import { startServer, type TestServer } from '../support/http.js';
import { provideTemplate } from '../support/templates.js';

const LIMITS = { limits: { perSecond: 10_000 } };

let estate: Estate;
let server: TestServer;
let web: Console;
let token: string;
let worker: ChildProcess | undefined;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, LIMITS);
  token = await fullToken(estate);
  web = await openConsole(server.url);
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await web?.close();
  await server?.close();
  await estate?.close();
});

/** A page that is loaded again loses what `isSame` looks for. */
const mark = (page: Page) => page.evaluate("globalThis.mark = 'here'");
const isSame = (page: Page) => page.evaluate<boolean>("globalThis.mark === 'here'");

it('the overview shows a change, and says since when nothing watches after the worker was killed', async () => {
  const { page, errors, visit, close } = await web.signedIn(token);
  const { child, done } = startCli(['worker', 'run', '--port', 'off', '--database-url', estate.url]);
  worker = child;
  await visit('/');
  await mark(page);
  await page.getByText('watched as of').waitFor();
  const count = page.locator('a.count[aria-label$="units in scope policy"]');
  const before = Number((await count.textContent())?.replaceAll(',', ''));
  await asHost(
    estate.url,
    `insert into birth_registry (entity_code, collection_name, species_code, born_at)
     select 'DOT-LIVE', 'dot_tools', species_code, now() from birth_registry where collection_name = 'dot_tools' limit 1`,
  );
  await count.getByText((before + 1).toLocaleString('en-US'), { exact: true }).waitFor();

  child.kill('SIGKILL');
  await done;
  await asHost(
    estate.url,
    `set session_replication_role = replica; update gcos_trust.governance_gate_rules set max_unwatched = '{"high_minutes": 0.05, "low_minutes": 1440}'`,
  );
  await page.getByText('Not watched since').waitFor();
  expect(await isSame(page)).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

it('a lost stream says so, and the page recovers when the server is back', async () => {
  const { page, visit, close } = await web.signedIn(token);
  await visit('/requests');
  await mark(page);
  await page.getByText('live', { exact: true }).waitFor();
  const port = Number(new URL(server.url).port);
  // A proxy in front refuses first: then the browser does not come back by itself.
  await page.route('**/api/v1/stream', (route) => route.fulfill({ status: 502 }), { times: 1 });
  await server.close();
  await page.getByText('not live: reconnecting').waitFor();
  // What happens meanwhile is shown afterwards.
  const code = await estate.gcos.requests.open('gcos.exception.grant', { note: 'x' }, { as: 'member-1' });
  server = await startServer(estate, { ...LIMITS, port });
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByText(code.code).waitFor();
  expect(await isSame(page)).toBe(true);
  await close();
});

it('a session that ends leads to the sign-in', async () => {
  const { token: short, id } = await estate.gcos.tokens.create({
    name: 'short',
    person: 'member-1',
    permissions: ['read'],
  });
  const { page, visit, close } = await web.signedIn(short);
  await visit('/requests');
  await estate.gcos.tokens.revoke(id);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await close();
});

it('a source that is synced shows what it brought', async () => {
  // The passwords of the roles are those of the template.
  await provideTemplate(inject('serverUrl'), 'installed');
  const home = await createGatedHome();
  const own = await startServer(home, LIMITS);
  try {
    const file = home.write('assets.csv', 'id,team\na1,core\na2,core\n');
    await home.json(
      'source',
      'add',
      'assets',
      'file',
      file,
      '--class',
      'asset',
      '--code',
      'id',
      '--link',
      'owner=team',
    );
    const { page, errors, visit, close } = await web.signedIn(await fullToken(home), { url: own.url });
    await visit('/sources');
    await mark(page);
    await page.getByText('never synced').waitFor();
    await page.getByRole('button', { name: 'Read assets now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Order the sync' }).click();
    await page.getByText('A worker begins it within half a minute').waitFor();
    await page.keyboard.press('Escape');
    await home.once('sync', 'feed');
    await page.getByText('synced', { exact: true }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'assets' });
    expect(await row.getByRole('cell').nth(4).textContent()).toBe('2');
    expect(await home.sql(`select count(*)::int as n from gcos_source_object`)).toEqual([{ n: 2 }]);
    expect(await isSame(page)).toBe(true);
    expect(errors).toEqual([]);
    await close();
  } finally {
    await own.close();
    await home.close();
  }
});
