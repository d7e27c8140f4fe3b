// The console before anything was taken in: each screen says that nothing is known, and none looks good.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Console, openConsole, violationsOf } from '../support/browser.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
let web: Console;
beforeAll(async () => {
  estate = await createEstate('installed');
  server = await startServer(estate);
  web = await openConsole(server.url);
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await estate?.close();
});

it('says what is not known yet, and shows no good answer', async () => {
  const { page, errors, visit } = await web.signedIn(server.tokens.read, { width: 390 });
  for (const path of ['/', '/ledger', '/findings', '/findings?view=fixes', '/groups']) {
    await visit(path);
    expect(await page.locator('main .bg-good-soft').count(), path).toBe(0);
    expect(await violationsOf(page), path).toEqual([]);
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide, `${path} is wider than the page`).toBe(false);
  }
  await visit('/ledger');
  await page.getByText('No run has closed a ledger yet').first().waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});
