// A crawler that knows nothing of GCOS but the address of its API: it follows every link from the root, and
// compares every count with the length of the list that it links to, page by page and as CSV.

export interface CrawlOptions {
  readonly url: string;
  readonly token: string;
  /** Lists longer than this are compared as CSV only; default: no list is. */
  readonly longest?: number;
  /** How many addresses that differ only in a key are followed; default: all. */
  readonly alike?: number;
}

export interface Crawled {
  /** Addresses without their moment. */
  readonly resources: number;
  readonly counts: number;
  readonly lines: number;
  /** How often a moment was over and the resource was read again. */
  readonly readAgain: number;
  readonly differences: readonly string[];
  /** The number of each count, by its address without its moment. */
  readonly found: ReadonlyMap<string, number>;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Expired extends Error {}

/** The records of a file, without the lines that are not data and without the names of the columns. */
export function csvRows(text: string): { readonly rows: number; readonly announced: number } {
  let [rows, quoted, begins, remark] = [0, false, true, false];
  for (const character of text) {
    if (begins && character === '#') remark = true;
    begins = false;
    if (character === '"') quoted = !quoted;
    if (character !== '\n' || quoted) continue;
    if (!remark) rows += 1;
    [begins, remark] = [true, false];
  }
  const announced = Number(/# end: (\d+) rows\r\n$/.exec(text)?.[1] ?? -1);
  return { rows: rows - 1, announced };
}

const withoutMoment = (href: string): string => {
  const [path = '', query = ''] = href.split('?');
  const params = new URLSearchParams(query);
  params.delete('as_of');
  return params.size === 0 ? path : `${path}?${params}`;
};
const withLimit = (href: string): string => `${href}${href.includes('?') ? '&' : '?'}limit=1000`;

export async function crawl({
  url,
  token,
  longest = Number.POSITIVE_INFINITY,
  alike = Number.POSITIVE_INFINITY,
}: CrawlOptions): Promise<Crawled> {
  const found = new Map<string, number>();
  const differences: string[] = [];
  let [lines, readAgain] = [0, 0];

  const fetchAs = async (href: string, accept: string): Promise<string> => {
    for (;;) {
      const response = await fetch(new URL(href, url), {
        headers: { authorization: `Bearer ${token}`, accept },
      });
      const text = await response.text();
      if (response.status === 410) throw new Expired(href);
      if (response.ok) return text;
      if (response.status !== 429) throw new Error(`${response.status} ${href}: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const get = async (href: string) => JSON.parse(await fetchAs(href, 'application/json')) as Json;

  /** The length of a list: the lines of all its pages. */
  const lengthOf = async (href: string): Promise<number> => {
    let length = 0;
    for (let page: string | undefined = withLimit(href); page !== undefined; ) {
      const answer = await get(page);
      if (!isObject(answer)) throw new Error(`${page} is no object`);
      const lists = Object.values(answer).filter((each) => Array.isArray(each));
      length += (lists[0] as readonly Json[]).length;
      const { next } = answer;
      page = next !== undefined && isObject(next) ? String(next['href']) : undefined;
    }
    return length;
  };

  const compare = async (count: number, href: string): Promise<void> => {
    const key = withoutMoment(href);
    const { rows, announced } = csvRows(await fetchAs(href, 'text/csv'));
    const length = count > longest ? rows : await lengthOf(href);
    if (rows !== count || announced !== count || length !== count)
      differences.push(`${key}: ${count} counted, ${length} lines, ${rows} rows of ${announced} in CSV`);
    found.set(key, count);
    lines += length + rows;
  };

  const shapes = new Map<string, number>();
  const isWanted = (key: string): boolean => {
    const shape = key.replaceAll(/[0-9a-f]{32}/g, '{key}');
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    return (shapes.get(shape) ?? 0) <= alike;
  };
  const waiting: string[] = ['/api/v1'];
  const seen = new Set(waiting);
  /** Compares the counts in a value that were not compared yet, and notes its links. */
  const visit = async (value: Json): Promise<void> => {
    if (Array.isArray(value)) {
      for (const each of value) await visit(each);
      return;
    }
    if (!isObject(value)) return;
    const { count, href } = value;
    if (typeof href === 'string') {
      const key = withoutMoment(href);
      if (typeof count === 'number') {
        if (!found.has(key)) await compare(count, href);
      } else if (!seen.has(key) && isWanted(key)) {
        seen.add(key);
        waiting.push(key);
      }
    }
    for (const [name, each] of Object.entries(value)) if (name !== 'next') await visit(each);
  };

  for (let path = waiting.shift(); path !== undefined; path = waiting.shift())
    for (let again = true; again; ) {
      again = false;
      try {
        await visit(await get(path));
      } catch (error) {
        if (!(error instanceof Expired)) throw error;
        readAgain += 1;
        again = true;
      }
    }
  return { resources: seen.size, counts: found.size, lines, readAgain, differences, found };
}
