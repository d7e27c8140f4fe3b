// A crawler that knows nothing of the console but its routes: it follows the links from the overview until it
// was on every screen, and compares each count with the export of the list that the count opens. Some of the
// lists it opens in the browser as well, because that takes much longer.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsolePage } from './browser.js';
import { checkout } from './cli.js';
import { csvRows } from './crawl.js';

interface Screen {
  /** The path of its route. */
  readonly route: string;
  /** Where the crawler was. */
  readonly address: string;
}

export interface Crawled {
  readonly screens: readonly Screen[];
  /** Routes to which no link leads. */
  readonly unreached: readonly string[];
  readonly counts: number;
  /** How many lists were opened in the browser. */
  readonly opened: number;
  /** How many rows the lists of all counts have. */
  readonly rows: number;
  readonly differences: readonly string[];
}

/** The lists of the API that the screens of counts show. */
const LISTS: Readonly<Record<string, string>> = {
  '/ledger/units': '/api/v1/units',
  '/findings': '/api/v1/findings',
  '/objects': '/api/v1/objects',
  '/groups': '/api/v1/groups',
  '/requests': '/api/v1/requests',
  '/exceptions': '/api/v1/exceptions',
  '/operations/dead-letters': '/api/v1/dead-letters',
};

/** The routes of the console, as its sources declare them. */
export function consoleRoutes(): readonly string[] {
  const source = join(checkout, 'web/src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .flatMap((name) => [
      ...readFileSync(join(source, name), 'utf8').matchAll(
        /path: '(\/[^':*]*(?::\w+[^':*]*)*)',\s*name: '[^']+',\s*component/g,
      ),
    ])
    .map(([, path = '']) => path);
}

const partsOf = (path: string): string[] => path.split('/').slice(1);

/** The route of an address; the one with the most fixed parts. */
function routeOf(routes: readonly string[], address: string): string | undefined {
  const parts = partsOf(address.split('?')[0] ?? '');
  const fits = routes.filter((route) => {
    const own = partsOf(route);
    return own.length === parts.length && own.every((part, n) => part.startsWith(':') || part === parts[n]);
  });
  return fits.sort((a, b) => a.split(':').length - b.split(':').length)[0];
}

/** A moment is kept for a minute: on a busy machine it may be over before its last count is compared. */
class MomentOver extends Error {}
const ATTEMPTS = 10;

interface Link {
  readonly href: string;
  readonly label: string;
  /** Undefined: it is no count. */
  readonly count: number | undefined;
}

const linksOf = ({ page }: ConsolePage): Promise<Link[]> =>
  page.$$eval('a[href^="/"]', (all) =>
    all.map((link) => ({
      href: link.getAttribute('href') ?? '',
      label: link.getAttribute('aria-label') ?? link.textContent ?? '',
      ...(link.matches('main a.count')
        ? { count: Number((link.textContent ?? '').replaceAll(',', '').trim()) }
        : { count: undefined }),
    })),
  );

const firstOfEach = <T>(all: readonly T[], keyOf: (each: T) => string): T[] => [
  ...new Map(all.toReversed().map((each) => [keyOf(each), each])).values(),
];

/** The rows of the list that the browser shows at `href`, and whether these are all. */
async function shownAt({ page, settled }: ConsolePage, href: string) {
  await page.goto(href);
  await settled();
  if (await page.getByRole('button', { name: 'Load again' }).isVisible()) throw new MomentOver(href);
  return page.evaluate(() => {
    const { rows, whole } = document.querySelector<HTMLElement>('[data-list]')?.dataset ?? {};
    if (rows !== undefined) return { rows: Number(rows), isWhole: whole === 'true' };
    const counted = document.querySelector('main table[aria-rowcount]')?.getAttribute('aria-rowcount');
    return { rows: Number(counted ?? 1) - 1, isWhole: true };
  });
}

/** Compares every count among the links; of each screen that lists are opened on, it opens one. */
async function compare(
  console: ConsolePage,
  at: string,
  counts: readonly Link[],
): Promise<Pick<Crawled, 'counts' | 'opened' | 'rows' | 'differences'>> {
  const differences: string[] = [];
  let rows = 0;
  for (const { href, count, label } of counts) {
    const [screen = '', query = ''] = href.split('?');
    const list = LISTS[screen];
    if (list === undefined || !query.includes('as_of=')) {
      differences.push(`${at}: ${label}: ${list === undefined ? 'no list is known' : 'no moment'} (${href})`);
      continue;
    }
    const answer = await console.page.request.get(`${list}?${query}`, { headers: { accept: 'text/csv' } });
    if (answer.status() === 410) throw new MomentOver(href);
    const exported = csvRows(await answer.text());
    if (exported.rows !== count || exported.announced !== count)
      differences.push(`${at}: ${label}: ${count} counted, ${exported.rows} exported (${href})`);
    rows += exported.rows;
  }
  const first = Math.floor(Math.random() * counts.length);
  const others = [...counts.slice(first), ...counts.slice(0, first)];
  const chosen = firstOfEach(others, ({ href }) => href.split('?')[0] ?? '');
  for (const { href, count = 0, label } of chosen) {
    const shown = await shownAt(console, href);
    if (shown.isWhole ? shown.rows !== count : shown.rows >= count)
      differences.push(`${at}: ${label}: ${count} counted, ${shown.rows} shown (${href})`);
  }
  return { counts: counts.length, opened: chosen.length, rows, differences };
}

/**
 * Follows the links from the overview. Of addresses that differ only in the values of their parameters, one is
 * visited. `inspect` looks at each screen.
 */
export async function crawlConsole(
  console: ConsolePage,
  inspect: (address: string) => Promise<void>,
): Promise<Crawled> {
  const routes = consoleRoutes();
  const screens: Screen[] = [];
  const differences: string[] = [];
  const sums = { counts: 0, opened: 0, rows: 0 };
  const queue = ['/'];
  const seen = new Set(['/ ']);
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const route = routeOf(routes, address);
    if (route === undefined) {
      differences.push(`a link leads to ${address}, which is no screen`);
      continue;
    }
    screens.push({ route, address });
    let links: Link[] = [];
    for (let attempt = 1; ; attempt += 1)
      try {
        await console.visit(address);
        links = await linksOf(console);
        const counts = links.filter(({ count }) => count !== undefined);
        const distinct = firstOfEach(counts, ({ href }) => href);
        if (attempt === 1) await inspect(address);
        const compared = await compare(console, address, distinct);
        sums.counts += compared.counts;
        sums.opened += compared.opened;
        sums.rows += compared.rows;
        differences.push(...compared.differences);
        break;
      } catch (error) {
        if (!(error instanceof MomentOver) || attempt === ATTEMPTS) throw error;
      }
    for (const { href } of links) {
      const params = new URLSearchParams(href.split('?')[1]);
      params.delete('as_of');
      const path = href.split(/[?#]/)[0] ?? '';
      const next = params.size === 0 ? path : `${path}?${params}`;
      const key = `${routeOf(routes, path) ?? path} ${[...params.keys()].sort()}`;
      if (!seen.has(key)) queue.push(next);
      seen.add(key);
    }
  }
  const reached = new Set(screens.map(({ route }) => route));
  return { screens, unreached: routes.filter((each) => !reached.has(each)), ...sums, differences };
}
