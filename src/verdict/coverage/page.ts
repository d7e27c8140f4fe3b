// Owns the pages in which coverage is evaluated: one statement for a limited number of rows, whatever the
// size of the inventory. A page that exceeds the statement time-out is halved, down to one scope of one
// group.
import { hasCode } from '../../kernel/index.js';

/** How many units, each in one scope, one statement evaluates. 114,000 of them took 2.1 s. */
export const ROWS_AT_ONCE = 50_000;

/** Inventory groups in some scopes. */
export interface Page {
  readonly keys: readonly string[];
  /** Null: all scopes. */
  readonly scopes: readonly string[] | null;
}

/** The approximate number of units of a group, in each scope. */
export interface Sized {
  readonly key: string;
  readonly units: number;
}

/**
 * Divides groups into pages of at most `rowsAtOnce` rows. A group that is larger has pages of its own, of
 * some scopes each. Without groups there is one empty page: the canaries are evaluated in any case.
 */
export function pageGroups(
  groups: readonly Sized[],
  scopes: readonly string[],
  rowsAtOnce: number,
): readonly Page[] {
  const pages: Page[] = [];
  let keys: string[] = [];
  let rows = 0;
  const close = () => {
    if (keys.length > 0) pages.push({ keys, scopes: null });
    keys = [];
    rows = 0;
  };
  for (const { key, units } of groups) {
    const own = units * scopes.length;
    if (rows + own > rowsAtOnce) close();
    if (own > rowsAtOnce) {
      const atOnce = Math.max(Math.floor(rowsAtOnce / units), 1);
      for (let from = 0; from < scopes.length; from += atOnce)
        pages.push({ keys: [key], scopes: scopes.slice(from, from + atOnce) });
      continue;
    }
    keys.push(key);
    rows += own;
  }
  close();
  return pages.length === 0 ? [{ keys: [], scopes: null }] : pages;
}

const halves = <T>(list: readonly T[]): readonly (readonly T[])[] => {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
};

/** Both halves of a page; undefined if it cannot be divided. */
function halved({ keys, scopes }: Page, all: readonly string[]): readonly Page[] | undefined {
  if (keys.length > 1) return halves(keys).map((some) => ({ keys: some, scopes }));
  const own = scopes ?? all;
  if (keys.length === 0 || own.length < 2) return undefined;
  return halves(own).map((some) => ({ keys, scopes: some }));
}

/** Runs `work` for a page, in halves if it takes too long. `attempt` undoes what a failed attempt wrote. */
export async function workInHalves<T>(
  page: Page,
  scopes: readonly string[],
  attempt: (work: () => Promise<T>) => Promise<T>,
  work: (page: Page) => Promise<T>,
): Promise<readonly T[]> {
  const parts = halved(page, scopes);
  if (parts === undefined) return [await work(page)];
  try {
    return [await attempt(() => work(page))];
  } catch (error) {
    if (!hasCode(error, 'statement_timeout')) throw error;
  }
  const done: T[] = [];
  for (const part of parts) done.push(...(await workInHalves(part, scopes, attempt, work)));
  return done;
}
