// Owns paging of lists: limit, start, next page.
import { cliErrors } from './errors.js';

export const DEFAULT_LIMIT = 50;

/** The value of --limit. */
export function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw cliErrors.usage_invalid(`--limit: \`${text}\` is not a whole number from 1 to 10000`);
  return limit;
}

/** A number that identifies a row, as a bigint. */
export function parseNumber(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw cliErrors.usage_invalid(`\`${text}\` is not a whole number`);
  return BigInt(text);
}

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
