// The screens of what is governed, in Chromium on an estate of 20,000 births: each count is the length of the
// list that it opens, each screen is accessible in both themes, and bad states have a look of their own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, openConsole, violationsOf } from '../support/browser.js';
import { crawlScreen } from '../support/console-crawl.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer, TOKEN_PERSON } from '../support/http.js';

/** Markup, and letters that turn the direction of what follows. */
const HOSTILE = '<img src=x onerror=alert(1)>\u202e‫עברית';

let estate: Estate;
let server: TestServer;
let web: Console;
let token: string;
let group: string;
beforeAll(async () => {
  estate = await createEstate('scanned');
  await asHost(
    estate.url,
    `insert into birth_registry (entity_code, collection_name, species_code, born_at)
     select '${HOSTILE}', 'dot_tools', species_code, now() from birth_registry where collection_name = 'dot_tools' limit 1`,
  );
  await estate.gcos.intakes.once();
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  const made = await estate.gcos.tokens.create({
    name: 'console',
    permissions: ['read', 'gate', 'decide'],
    person: TOKEN_PERSON,
  });
  token = made.token;
  const { json } = await server.call('/api/v1/groups?collection=articles&limit=1');
  group = json.groups[0].inventory_key;
  web = await openConsole(server.url);
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await estate?.close();
});

describe('sign-in', () => {
  it('is asked for at every address, refuses what is no token, and leads to the screen that was asked for', async () => {
    const { page, errors, visit } = await web.open();
    await visit('/ledger');
    await page.getByLabel('Access token').fill('gcos_000000000000_none');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ledger');
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe('counts', () => {
  it('each is the length of the list that it opens, and of its export', async () => {
    const opened = await web.signedIn(token);
    const crawled = [];
    for (const path of ['/', '/ledger', '/objects', `/groups/${group}`])
      crawled.push(await crawlScreen(opened, path));
    const counts = crawled.reduce((sum, each) => sum + each.counts, 0);
    console.log(
      `${counts} counts followed, to ${crawled.reduce((sum, each) => sum + each.rows, 0)} rows; ${crawled.reduce((sum, each) => sum + each.opened, 0)} lists opened`,
    );
    expect(crawled.flatMap((each) => each.differences)).toEqual([]);
    expect(crawled.every((each) => each.counts > 0)).toBe(true);
    expect(counts).toBeGreaterThan(80);
    expect(opened.errors).toEqual([]);
    await opened.page.context().close();
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it('no screen has a violation of accessibility', async () => {
    const { page, errors, visit } = await web.signedIn(token, { theme });
    const { json } = await server.call('/api/v1/findings?limit=1');
    const found: Record<string, readonly string[]> = {};
    for (const path of [
      '/',
      '/ledger',
      '/ledger/units?term=orphans',
      '/findings',
      '/findings?view=fixes',
      `/findings/${json.findings[0].code}`,
      '/objects',
      '/objects/dot_tools/DOT-117',
      '/groups',
      `/groups/${group}`,
    ]) {
      await visit(path);
      const violations = await violationsOf(page);
      if (violations.length > 0) found[path] = violations;
    }
    expect(found).toEqual({});
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe('bad states', () => {
  it('what does not exist is said by name, and is no failure', async () => {
    const { page, visit } = await web.signedIn(token);
    await visit(`/objects/${encodeURIComponent('no/such')}/${encodeURIComponent(HOSTILE)}`);
    await page.getByText('There is no such object').waitFor();
    await visit('/groups/none');
    await page.getByText('There is no such group').waitFor();
    await visit('/no/such/screen');
    await page.getByText('There is no such page').waitFor();
    await visit('/ledger/units?scope=none');
    await page.getByRole('alert').getByText('there is no scope').waitFor();
    await page.context().close();
  });

  it('names with markup and of another direction are shown as they are', async () => {
    const { page, errors, visit } = await web.signedIn(token);
    await visit(`/objects/dot_tools/${encodeURIComponent(HOSTILE)}`);
    const name = page.locator('main h2 bdi', { hasText: 'onerror' });
    expect(await name.textContent()).toBe(HOSTILE);
    expect(await page.locator('main img').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('a list of a moment that is over says so, and shows the list of now on request', async () => {
    const { page, visit } = await web.signedIn(token);
    const { json } = await server.call('/api/v1/ledger');
    // The name of a snapshot that no transaction keeps.
    const text = Buffer.from(json.as_of, 'base64url')
      .toString()
      .replace(/~[0-9A-F]{8}-/, '~FFFFFFF0-');
    await visit(`/ledger/units?term=orphans&as_of=${Buffer.from(text).toString('base64url')}`);
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.waitForSelector('[data-list][data-ready="true"]');
    expect(page.url()).not.toContain('as_of');
    await page.context().close();
  });

  it('a token that may not ask the gate is told so beside the verdicts', async () => {
    const { page, visit } = await web.signedIn(server.tokens.read);
    await visit('/objects/dot_tools/DOT-117');
    await page.getByText('lacks the permission').waitFor();
    expect(await page.getByRole('button', { name: 'Ask the gate' }).count()).toBe(0);
    await page.context().close();
  });

  it('a token of one scope may not see the ledger of all, and sees that', async () => {
    const { token: limited } = await estate.gcos.tokens.create({
      name: 'one scope',
      permissions: ['read'],
      person: TOKEN_PERSON,
      scopes: ['approval'],
    });
    const { page, visit } = await web.signedIn(limited);
    await visit('/ledger');
    await page.getByText('You may not see this').or(page.getByText('403')).first().waitFor();
    await visit('/ledger?scope=approval');
    await page.getByRole('rowheader', { name: 'approval' }).first().waitFor();
    await page.context().close();
  });
});

describe('acts', () => {
  it('the gate is asked about an object, and says who can cure what blocks it', async () => {
    const { page, visit } = await web.signedIn(token);
    await visit('/objects/dot_tools/DOT-117');
    await page.getByRole('button', { name: 'Ask the gate' }).click();
    await page.getByText('recorded as').waitFor();
    const answer = page.getByRole('region', { name: 'May it go now?' });
    expect(await answer.textContent()).toMatch(/block/);
    await page.context().close();
  });

  it('two chosen fixes become two requests, after what will happen was said', async () => {
    const { page, errors, visit } = await web.signedIn(token);
    await visit('/findings?view=fixes');
    const boxes = page.getByRole('checkbox', { name: /^choose/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: 'Propose 2 fixes' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toMatch(/2 requests open for [\d,]+ waiting units/);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Propose' }).click();
    const result = await dialog.getByRole('status').textContent();
    const codes = [...(result ?? '').matchAll(/APR-\d+/g)].map(([code]) => code);
    expect(new Set(codes).size).toBe(2);
    const open = await asHost(
      estate.url,
      `select code from approval_requests where code in (${codes.map((code) => `'${code}'`).join(',')}) and status = 'pending'`,
    );
    expect(open).toHaveLength(2);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
