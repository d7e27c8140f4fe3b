// What a person does on the console: opens the dialog of a button, says yes, and reads the answer; exports a
// list.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { csvRows } from './crawl.js';

export const dialogOf = (page: Page): Locator => page.getByRole('dialog');

/** Says yes in the dialog that is open, and returns what it answers. */
export async function confirm(page: Page, verb: string, reason?: string): Promise<string> {
  const dialog = dialogOf(page);
  if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: verb, exact: true }).click();
  const answer = dialog.locator('[role=status], [role=alert]').first();
  return (await answer.textContent()) ?? '';
}

/** Opens the dialog of a button of the page, and says yes. */
export async function act(page: Page, button: string, verb: string, reason?: string): Promise<string> {
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).click();
  return confirm(page, verb, reason);
}

export interface Exported {
  /** How many rows the page has loaded. */
  readonly shown: number;
  readonly rows: number;
  /** How many rows the file says that it has. */
  readonly announced: number;
}

/** The files of all lists that the page can export. */
export async function exportsOf(page: Page): Promise<Exported[]> {
  const found: Exported[] = [];
  for (const button of await page.getByRole('main').getByRole('button', { name: 'Export CSV' }).all()) {
    const saved = page.waitForEvent('download');
    await button.click();
    const text = await readFile(await (await saved).path(), 'utf8');
    const shown = await page.evaluate(() => {
      const rows = document.querySelector<HTMLElement>('[data-list]')?.dataset['rows'];
      const table = document.querySelector('main table[aria-rowcount]');
      return Number(rows ?? Number(table?.getAttribute('aria-rowcount') ?? 1) - 1);
    });
    found.push({ shown, ...csvRows(text) });
  }
  return found;
}
