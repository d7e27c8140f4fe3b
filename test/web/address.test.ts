// Every view of the console is its URL: filters, the selected row and the moment survive a reload, the back
// button and another browser. Every list exports all its pages.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Console, type ConsolePage, openConsole } from '../support/browser.js';
import { exportsOf } from '../support/console-acts.js';
import { fullToken } from '../support/console-estate.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

/** More than one page of the API, and than the console loads at first. */
const CHECKS = 2;
const ASKED = 600;

let estate: Estate;
let server: TestServer;
let web: Console;
let token: string;
let mine: ConsolePage;
/** In another browser. */
let other: ConsolePage;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  token = await fullToken(estate);
  web = await openConsole(server.url);
  [mine, other] = [await web.signedIn(token), await web.signedIn(token)];
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await estate?.close();
});

/** What a screen shows, without how long ago something was. */
const shown = ({ page }: ConsolePage): Promise<string> =>
  page.evaluate(() => {
    const main = document.querySelector('main')?.cloneNode(true) as HTMLElement;
    for (const time of main.querySelectorAll('time')) time.remove();
    return main.innerText.replaceAll(/\s+/g, ' ');
  });

/** The page shows the same after a reload, and in another browser that opens its address. */
async function survives(): Promise<string> {
  const before = await shown(mine);
  await mine.page.reload();
  await mine.settled();
  expect(await shown(mine)).toBe(before);
  await other.visit(mine.page.url());
  expect(await shown(other)).toBe(before);
  expect(other.errors).toEqual([]);
  return before;
}

const queryOf = () => Object.fromEntries(new URL(mine.page.url()).searchParams);

it('filters are in the URL: they survive a reload and another browser, and back leads to the one before', async () => {
  const { page, settled, visit } = mine;
  await visit('/findings');
  await page.getByLabel('Severity').selectOption('high');
  await page.waitForURL(/severity=high/);
  await settled();
  const first = await shown(mine);
  const types = page.getByLabel('Type').locator('option');
  const option = (await types.nth(1).getAttribute('value')) ?? '';
  await page.getByLabel('Type').selectOption(option);
  await page.waitForURL(/type=/);
  await settled();
  expect(queryOf()).toEqual({ severity: 'high', type: option });
  expect(await survives()).not.toBe(first);
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('type='));
  await settled();
  expect(await shown(mine)).toBe(first);
});

it('the selected row is in the URL', async () => {
  const { page, settled, visit } = mine;
  await visit('/findings?view=fixes');
  await page.locator('main tbody tr[data-index="1"]').getByRole('button').click();
  await page.waitForURL(/fix=/);
  await settled();
  expect(await survives()).toContain('Some of what waits');
  expect(await page.locator('tr[aria-current="true"]').count()).toBe(1);
});

it('the moment that a count describes is in the URL: what happens afterwards is not in its list', async () => {
  const { page, settled, visit } = mine;
  await visit('/ledger');
  const count = page.locator('a.count[aria-label$="units in scope policy"]').first();
  const number = Number((await count.textContent())?.replaceAll(',', ''));
  await count.click();
  await page.waitForURL(/as_of=/);
  await settled();
  await asHost(
    estate.url,
    `insert into birth_registry (entity_code, collection_name, species_code, born_at)
     select 'DOT-LATER', 'dot_tools', species_code, now() from birth_registry where collection_name = 'dot_tools' limit 1`,
  );
  await estate.gcos.intakes.once();
  await survives();
  const { rows, announced } = (await exportsOf(page))[0] ?? {};
  expect({ rows, announced }).toEqual({ rows: number, announced: number });
});

it('an export has all pages: of a list that the server writes, and of one that the page puts together', async () => {
  const { page, visit } = mine;
  await visit('/objects');
  const [{ births } = { births: 0 }] = await asHost(
    estate.url,
    'select count(*)::int as births from birth_registry',
  );
  const [objects] = await exportsOf(page);
  expect(objects).toMatchObject({ rows: births, announced: births });
  expect(objects?.shown).toBeLessThan(Number(births));

  const { json } = await server.call(`/api/v1/objects?limit=${ASKED}`);
  const subjects = json.objects.map(({ collection, code }: Record<string, string>) => ({ collection, code }));
  for (let check = 0; check < CHECKS; check += 1) await estate.gcos.gates.decide(subjects);
  await visit('/gate/decisions');
  const [decisions] = await exportsOf(page);
  expect(decisions).toMatchObject({ rows: CHECKS * ASKED, announced: CHECKS * ASKED });
  expect(decisions?.shown).toBeLessThan(CHECKS * ASKED);
  expect(mine.errors).toEqual([]);
});
