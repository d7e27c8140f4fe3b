// Every screen of the console, in Chromium: each count is the length of the list that it opens, nothing on it
// violates accessibility in either theme, it fits a narrow window, its lists are exported whole, and the page
// does nothing that it must not.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Console, openConsole, overflowAt, violationsInThemes } from '../support/browser.js';
import { exportsOf } from '../support/console-acts.js';
import { consoleRoutes, crawlConsole } from '../support/console-crawl.js';
import { createFullEstate, fullToken } from '../support/console-estate.js';
import type { Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

const NARROW = 360;
/** It is one walk over everything, which takes a minute on an idle machine. */
const WALK_MS = 1_800_000;

let estate: Estate;
let server: TestServer;
let web: Console;
beforeAll(async () => {
  estate = await createFullEstate();
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  web = await openConsole(server.url);
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await estate?.close();
});

it('every count is the length of its list, and every screen is accessible in both themes', {
  timeout: WALK_MS,
}, async () => {
  const opened = await web.signedIn(await fullToken(estate));
  const flaws: string[] = [];
  let files = 0;
  const found = await crawlConsole(opened, async (address) => {
    const wider = await overflowAt(opened.page, NARROW);
    if (wider > 1) flaws.push(`${address}: ${wider} pixels wider than ${NARROW}`);
    flaws.push(...(await violationsInThemes(opened.page)).map((each) => `${address}: ${each}`));
    for (const { shown, rows, announced } of await exportsOf(opened.page)) {
      files += 1;
      if (rows !== announced || rows < shown)
        flaws.push(`${address}: ${shown} rows shown, ${rows} exported, ${announced} announced`);
    }
  });
  console.log(
    `${found.screens.length} addresses of ${consoleRoutes().length} screens visited; ${found.counts} counts followed, to ${found.rows} rows; ${found.opened} lists opened, ${files} exported`,
  );
  expect(found.differences).toEqual([]);
  expect(flaws).toEqual([]);
  expect(opened.errors).toEqual([]);
  // A screen to which nothing leads is found by no one.
  expect(found.unreached).toEqual([]);
  expect(found.counts).toBeGreaterThan(80);
});
