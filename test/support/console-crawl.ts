// Compares every count of a screen with the export of the list that it links to, and opens some of the lists
// in the browser, to compare their rows as well: a list takes much longer to show than to export.
import type { ConsolePage } from './browser.js';
import { csvRows } from './crawl.js';

export interface CrawledScreen {
  readonly counts: number;
  readonly opened: number;
  readonly rows: number;
  readonly differences: readonly string[];
}

/** How many lists of a screen are opened; which ones changes from run to run. */
const OPENED = 5;

/** The lists of the API that the screens of counts show. */
const LISTS: Readonly<Record<string, string>> = {
  '/ledger/units': '/api/v1/units',
  '/findings': '/api/v1/findings',
  '/objects': '/api/v1/objects',
  '/groups': '/api/v1/groups',
  '/requests': '/api/v1/requests',
};

/** The rows of the list that the browser shows at `href`, and whether these are all. */
async function shownAt({ page, settled }: ConsolePage, href: string) {
  await page.goto(href);
  await settled();
  if (await page.getByRole('button', { name: 'Load again' }).isVisible()) throw new MomentOver(href);
  await page.waitForSelector('[data-list][data-ready="true"]');
  return page.$eval('[data-list]', (element) => {
    const { rows, whole } = (element as HTMLElement).dataset;
    return { rows: Number(rows), isWhole: whole === 'true' };
  });
}

/** A moment is kept for a minute: on a busy machine it may be over before its last count is compared. */
class MomentOver extends Error {}
const ATTEMPTS = 5;

export async function crawlScreen(console: ConsolePage, path: string): Promise<CrawledScreen> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await crawlOnce(console, path);
    } catch (error) {
      if (!(error instanceof MomentOver) || attempt === ATTEMPTS) throw error;
    }
}

async function crawlOnce(console: ConsolePage, path: string): Promise<CrawledScreen> {
  const { page, visit } = console;
  await visit(path);
  const links = await page.$$eval('main a.count', (all) =>
    all.map((link) => ({
      href: link.getAttribute('href') ?? '',
      count: Number((link.textContent ?? '').replaceAll(',', '').trim()),
      label: link.getAttribute('aria-label') ?? '',
    })),
  );
  const distinct = [...new Map(links.map((link) => [link.href, link])).values()];
  const differences: string[] = [];
  let rows = 0;
  for (const { href, count, label } of distinct) {
    const [screen = '', query = ''] = href.split('?');
    const answer = await page.request.get(`${LISTS[screen]}?${query}`, { headers: { accept: 'text/csv' } });
    if (answer.status() === 410) throw new MomentOver(href);
    const exported = csvRows(await answer.text());
    if (exported.rows !== count || exported.announced !== count || !query.includes('as_of='))
      differences.push(`${path}: ${label}: ${count} counted, ${exported.rows} exported (${href})`);
    rows += exported.rows;
  }
  const first = Math.floor(Math.random() * distinct.length);
  const chosen = [...distinct.slice(first), ...distinct.slice(0, first)].slice(0, OPENED);
  for (const { href, count, label } of chosen) {
    const shown = await shownAt(console, href);
    if (shown.isWhole ? shown.rows !== count : shown.rows >= count)
      differences.push(`${path}: ${label}: ${count} counted, ${shown.rows} shown (${href})`);
  }
  return { counts: distinct.length, opened: chosen.length, rows, differences };
}
