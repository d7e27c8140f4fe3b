// Follows every count of a screen as a person does, by a click, and compares it with the rows of the list that
// opens, and with its export.
import type { ConsolePage } from './browser.js';
import { csvRows } from './crawl.js';

export interface CrawledScreen {
  readonly counts: number;
  readonly rows: number;
  readonly differences: readonly string[];
}

interface Shown {
  readonly rows: number;
  readonly isWhole: boolean;
  readonly file: string;
}

/** The list that is open. */
async function listOf({ page, settled }: ConsolePage): Promise<Shown> {
  await page.waitForSelector('[data-list][data-ready="true"]');
  await settled();
  return page.$eval('[data-list]', (element) => {
    const { rows, whole, file } = (element as HTMLElement).dataset;
    return { rows: Number(rows), isWhole: whole === 'true', file: file ?? '' };
  });
}

export async function crawlScreen(opened: ConsolePage, path: string): Promise<CrawledScreen> {
  const { page, settled, visit } = opened;
  await visit(path);
  const links = await page.$$eval('main a.count', (all) =>
    all.map((link) => ({
      href: link.getAttribute('href') ?? '',
      count: Number((link.textContent ?? '').replaceAll(',', '').trim()),
      label: link.getAttribute('aria-label') ?? '',
    })),
  );
  const seen = new Set<string>();
  const differences: string[] = [];
  let rows = 0;
  for (const { href, count, label } of links) {
    if (seen.has(href)) continue;
    seen.add(href);
    // The address of the link, opened within the application, as a click does.
    await page.evaluate((to) => {
      history.pushState(history.state, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }, href);
    await page.waitForURL((url) => url.pathname + url.search === href);
    await settled();
    const shown = await listOf(opened);
    const answer = await page.request.get(shown.file, { headers: { accept: 'text/csv' } });
    const exported = csvRows(await answer.text());
    const isEqual = exported.rows === count && exported.announced === count;
    if (!isEqual || (shown.isWhole ? shown.rows !== count : shown.rows >= count))
      differences.push(
        `${path}: ${label}: ${count} counted, ${shown.rows} rows${shown.isWhole ? '' : ' so far'}, ${exported.rows} exported (${href})`,
      );
    rows += exported.rows;
  }
  return { counts: seen.size, rows, differences };
}
