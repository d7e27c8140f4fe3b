// Owns paging of lists: limit, start, next page.
import { LONGEST_PAGE, requireWhole } from '../kernel/index.js';

export const DEFAULT_LIMIT = 50;

/** The value of --limit. */
export const parseLimit = (text: string): number => requireWhole('--limit', text, 1, LONGEST_PAGE);

/** The start of the next page; null on the last page. */
export function nextOf<T>(rows: readonly T[], limit: number, key: (row: T) => string): string | null {
  const last = rows.at(-1);
  return rows.length < limit || last === undefined ? null : key(last);
}

/** The last line of a list that continues. */
export function moreLines(next: string | null): string[] {
  return next === null ? [] : [`more: --after ${next}`];
}

/** Only the flags that were given: `exactOptionalPropertyTypes` does not allow undefined. */
export function given<T extends object>(flags: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
