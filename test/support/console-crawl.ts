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

const withoutMoment = (href: string): string => {
  const [path = '', query = ''] = href.split(/[?#]/);
  const params = new URLSearchParams(query);
  params.delete('as_of');
  return params.size === 0 ? path : `${path}?${params}`;
};

/** What was compared so far: a moment that ends in between loses nothing of it. */
class Comparison {
  rows = 0;
  readonly differences: string[] = [];
  readonly #console: ConsolePage;
  readonly #at: string;
  /** Counts, by their address without its moment. */
  readonly #compared = new Set<string>();
  /** Kinds of lists that were opened in the browser. */
  readonly #opened = new Set<string>();

  constructor(console: ConsolePage, at: string) {
    this.#console = console;
    this.#at = at;
  }

  get counts(): number {
    return this.#compared.size;
  }

  get opened(): number {
    return this.#opened.size;
  }

  /** Compares every count among the links, and opens one list of each kind. */
  async compare(counts: readonly Link[]): Promise<void> {
    for (const each of counts) await this.#export(each);
    const first = Math.floor(Math.random() * counts.length);
    for (const each of [...counts.slice(first), ...counts.slice(0, first)]) await this.#open(each);
  }

  async #export({ href, count, label }: Link): Promise<void> {
    const key = withoutMoment(href);
    if (this.#compared.has(key)) return;
    const [screen = '', query = ''] = href.split('?');
    const list = LISTS[screen];
    if (list === undefined || !query.includes('as_of='))
      this.differences.push(
        `${this.#at}: ${label}: ${list === undefined ? 'no list is known' : 'no moment'} (${href})`,
      );
    else {
      const answer = await this.#console.page.request.get(`${list}?${query}`, {
        headers: { accept: 'text/csv' },
      });
      if (answer.status() === 410) throw new MomentOver(href);
      const { rows, announced } = csvRows(await answer.text());
      if (rows !== count || announced !== count)
        this.differences.push(`${this.#at}: ${label}: ${count} counted, ${rows} exported (${href})`);
      this.rows += rows;
    }
    this.#compared.add(key);
  }

  async #open({ href, count = 0, label }: Link): Promise<void> {
    const [kind = ''] = href.split('?');
    if (this.#opened.has(kind)) return;
    const shown = await shownAt(this.#console, href);
    if (shown.isWhole ? shown.rows !== count : shown.rows >= count)
      this.differences.push(`${this.#at}: ${label}: ${count} counted, ${shown.rows} shown (${href})`);
    this.#opened.add(kind);
  }
}

/**
 * Follows the links from the overview. Of addresses that differ only in the values of their parameters, one
 * is visited. `inspect` looks at each screen.
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
    const comparison = new Comparison(console, address);
    let links: Link[] = [];
    for (let [inspected, failures] = [false, 0]; ; ) {
      const before = comparison.counts + comparison.opened;
      try {
        await console.visit(address);
        links = await linksOf(console);
        if (!inspected) await inspect(address);
        inspected = true;
        await comparison.compare(links.filter(({ count }) => count !== undefined));
        break;
      } catch (error) {
        if (!(error instanceof MomentOver)) throw error;
        failures = comparison.counts + comparison.opened > before ? 0 : failures + 1;
        if (failures === ATTEMPTS) throw error;
      }
    }
    sums.counts += comparison.counts;
    sums.opened += comparison.opened;
    sums.rows += comparison.rows;
    differences.push(...comparison.differences);
    for (const { href } of links) {
      const next = withoutMoment(href);
      const [path = '', query = ''] = next.split('?');
      const key = `${routeOf(routes, path) ?? path} ${[...new URLSearchParams(query).keys()].sort()}`;
      if (!seen.has(key)) queue.push(next);
      seen.add(key);
    }
  }
  const reached = new Set(screens.map(({ route }) => route));
  return { screens, unreached: routes.filter((each) => !reached.has(each)), ...sums, differences };
}
