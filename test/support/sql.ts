// Statements and fragments of the product as plain SQL, for tests that run or explain them directly.
import { join } from 'node:path';
import { readFragments } from '../../scripts/sql.mjs';
import type { Statement } from '../../src/db/index.js';
import { checkout } from './cli.js';

/** The text of a statement with an SQL literal for each parameter; NULL for those that are not given. */
export function withLiterals<P>(
  { text, params }: Statement<P>,
  literals: Partial<Readonly<Record<keyof P & string, string>>>,
): string {
  const given = literals as Readonly<Record<string, string | undefined>>;
  return text.replaceAll(/\$(\d+)/g, (_, no: string) => given[params[Number(no) - 1] ?? ''] ?? 'null');
}

/** What readTermRows takes for the terms of everything at a time: groups, and objects of every id. */
export const everyTerm = (at: string) => ({
  at: `'${at}'`,
  withGroups: 'true',
  first: '0',
  last: '9223372036854775807',
});

/** A fragment of `src/FILE`, with the SQL in `values` for its parameters. */
export function fragment(file: string, name: string, values: Readonly<Record<string, string>> = {}): string {
  const text = readFragments(join(checkout, 'src', file)).get(name);
  if (text === undefined) throw new Error(`${file} has no fragment ${name}`);
  return Object.entries(values).reduce(
    (sql, [param, value]) => sql.replaceAll(`:${param}`, () => value),
    text,
  );
}
