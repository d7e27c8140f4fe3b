// The way from a gap to its remedy by the keyboard alone: find an orphan, open it, propose its fix, vote, and
// see the result. No pointer is used, and the focus is always visible.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Console, type ConsolePage, openConsole } from '../support/browser.js';
import { dialogOf } from '../support/console-acts.js';
import { fullToken } from '../support/console-estate.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

/** More than any screen has before its first row. */
const MOST_STOPS = 250;

let estate: Estate;
let server: TestServer;
let web: Console;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  await asHost(
    estate.url,
    `insert into gcos_trust.governance_actor (person_ref, approver_type) values ('ben', 'member')`,
  );
  web = await openConsole(server.url);
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await estate?.close();
});

interface Stop {
  readonly name: string;
  readonly role: string;
  /** Whether a person sees where they are. */
  readonly isVisible: boolean;
}

const focused = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const style = getComputedStyle(element);
    return {
      name: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim(),
      role: element.getAttribute('role') ?? element.localName,
      isVisible: style.outlineStyle !== 'none' || style.boxShadow !== 'none',
    };
  });

/** Presses Tab until the focus is where `name` says; the focus must be visible at each stop. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (stop.role !== 'body') expect(stop, 'the focus is not visible').toMatchObject({ isVisible: true });
    if (name.test(stop.name)) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function press(console: ConsolePage, name: RegExp): Promise<void> {
  await tabTo(console.page, name);
  await console.page.keyboard.press('Enter');
}

const answerOf = async (page: Page): Promise<string> =>
  (await dialogOf(page).locator('[role=status], [role=alert]').first().textContent()) ?? '';

it('an orphan is found, opened, its remedy proposed and voted on, by the keyboard alone', async () => {
  const member = await web.signedIn(await fullToken(estate, 'ben'));
  const { page } = member;
  await member.visit('/');
  await press(member, /^Ledger$/);
  await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor();
  await member.settled();
  await press(member, /^[\d,]*[1-9][\d,]* orphans in scope /);
  await page.waitForURL(/term=orphans/);
  await member.settled();

  // The first row of the list; then its object.
  await tabTo(page, /^Units of the ledger$/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.matches('tr[data-index="1"]'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Verdict in each scope' }).waitFor();
  await member.settled();
  await press(member, /^governance orphan$|gap$/);
  await page.getByRole('button', { name: 'Propose its remedy' }).waitFor();
  await press(member, /^Propose its remedy$/);
  await dialogOf(page).waitFor();
  // The focus stays in the dialog.
  await press(member, /^Propose$/);
  const said = await answerOf(page);
  const [code = ''] = /APR-\d+/.exec(said) ?? [];
  expect(said).toContain('open');
  await press(member, /^See the record$/);
  await page.waitForURL(new RegExp(code));

  const president = await web.signedIn(await fullToken(estate));
  await president.visit('/requests?status=pending');
  await press(president, new RegExp(`^${code}$`));
  await president.page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await press(president, /^Approve$/);
  await dialogOf(president.page).waitFor();
  await press(president, /^Approve$/);
  expect(await answerOf(president.page)).toContain(`${code} is approved`);
  await president.page.keyboard.press('Escape');
  await dialogOf(president.page).waitFor({ state: 'hidden' });
  await president.page.getByRole('main').getByText('approved').first().waitFor();
  expect((await estate.gcos.requests.show(code)).status).toBe('approved');
  for (const { errors } of [member, president]) expect(errors).toEqual([]);
});
